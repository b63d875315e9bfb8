package dev.idem.spi.browse;

import dev.idem.spi.EntryStore.Row;
import dev.idem.spi.ReplayCounting;
import dev.idem.spi.Ticket;
import dev.idem.spi.browse.Figures.Kind;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A store that counts tries by its own statements. A row tells its tries: its columns tell the only one of most rows, and
 * the document tells those of the others. What no row tells is kept by the hour in a table beside: duplicates, and the
 * tries of rows that were purged. No claim and no settle writes to that table, and no transaction of a caller does. Who
 * adds to it also deletes what is older than 8 days. A {@link Searchable#scan} for no states gives all rows, also forgotten
 * ones.
 */
public interface TryCounting {
    /** Counts duplicates: for each row as {@link ReplayCounting}, and by the hour in which they came. */
    void countReplays(Map<Ticket, Long> more, List<Hourly> hours);

    /** Deletes rows as {@link Searchable#delete} does, and adds what those told that it has deleted, in the same step. */
    int deleteTold(List<Told> seen);

    /**
     * What the columns of rows and the table of hours tell, and the rows whose columns do not tell it, all as of one moment.
     * Empty where the table is missing. The columns tell about rows that are complete, failed or in doubt and whose document
     * has no member {@code past}.
     *
     * @param query has scopes and an operation at most
     * @param behind only rows with a higher fence
     * @param others is given all other rows that were claimed since then, also forgotten ones; their bodies may be empty
     */
    Optional<Figures> figures(Query query, Instant since, long behind, Consumer<Searchable.Rows> others);

    /**
     * A line of the table.
     *
     * @param millis how long each of the completed tries took; −1 for other kinds
     */
    record Hourly(Instant hour, String scope, String operation, Kind kind, long millis, long count) {
        /** The same line with another count. */
        public Hourly withCount(long other) {
            return new Hourly(hour, scope, operation, kind, millis, other);
        }

        /** By hand, as is {@link #hashCode}: those of records need code that is made at the start of each command. */
        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Hourly line
                    && hour.equals(line.hour)
                    && scope.equals(line.scope)
                    && operation.equals(line.operation)
                    && kind == line.kind
                    && millis == line.millis
                    && count == line.count;
        }

        @Override
        public int hashCode() {
            return (hour.hashCode() * 31 + scope.hashCode()) * 31 + operation.hashCode() + (int) (millis ^ count);
        }
    }

    /** A row that is to be deleted, and its tries. */
    record Told(Row row, List<Hourly> tries) {}
}
