package dev.idem.spi;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * When an entry that was taken over from elsewhere ran there. Its times are those at which it was written here, since no
 * instants go into a ledger; this stands in a label beside them, as ISO 8601 writes an interval.
 *
 * @param began when the attempt was granted
 * @param ended when it was settled
 */
public record ImportedRun(Instant began, Instant ended) {
    /** The name of the label. */
    public static final String LABEL = "imported_run";

    /** What the labels of an entry say, or null where they say nothing of the kind. */
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
