package dev.idem.spi.browse;

import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What happened since an hour: the tries that began since then, how each of them ended, and the duplicates that came since
 * then. A call that was tried three times counts as three tries, in the hours in which they began. A try that ended in
 * doubt stays one, whatever a person or a probe finds out later.
 *
 * @param since the full hour from which on is counted
 * @param from what happened before this time may be missing; null where nothing is missing
 * @param counts in no order
 * @param took how long the completed tries took, from the grant to the settle by their own owner; in no order
 */
public record Figures(Instant since, @Nullable Instant from, List<Count> counts, List<Took> took) {
    public Figures {
        counts = List.copyOf(counts);
        took = List.copyOf(took);
    }

    /** What is counted. */
    public enum Kind {
        /** A try that completed. */
        COMPLETE,
        /** A try that failed: it had no effect. */
        FAILED,
        /** A try that ended in doubt, by its own news or without any. */
        IN_DOUBT,
        /** A try that has not ended. */
        IN_PROGRESS,
        /** A call that was answered with a result that was there already. */
        DUPLICATE,
        /** Tries that no row tells any more, of a call that had too many. Figures have none of them: they begin behind them. */
        LOST;

        /** Its word in tables and answers. */
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }

        /** The kind with this word. */
        public static Kind ofWord(String word) {
            return valueOf(word.toUpperCase(Locale.ROOT));
        }
    }

    /**
     * How many in an hour.
     *
     * @param hour its beginning, UTC: tries began in it, duplicates came in it
     */
    public record Count(Instant hour, String operation, Kind kind, long count) {}

    /**
     * How many completed tries took so long.
     *
     * @param millis whole milliseconds
     */
    public record Took(String operation, long millis, long count) {}
}
