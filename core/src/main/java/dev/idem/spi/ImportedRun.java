package dev.idem.spi;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The time at which an imported entry ran at its origin. The entry's own times are those of the import, since a ledger
 * accepts no instants. A label holds this time as an ISO 8601 interval.
 *
 * @param began when the attempt was granted
 * @param ended when it was settled
 */
public record ImportedRun(Instant began, Instant ended) {
    /** The name of the label. */
    public static final String LABEL = "imported_run";

    /** Reads the label of an entry; null where the entry has none. */
    public static @Nullable ImportedRun of(Map<String, String> labels) {
        String interval = labels.get(LABEL);
        int slash = interval == null ? -1 : interval.indexOf('/');
        if (interval == null || slash < 0) {
            return null;
        }
        try {
            return new ImportedRun(
                    Instant.parse(interval.substring(0, slash)), Instant.parse(interval.substring(slash + 1)));
        } catch (DateTimeException e) {
            return null;
        }
    }

    /** The value of the label. */
    public String interval() {
        return began + "/" + ended;
    }
}
