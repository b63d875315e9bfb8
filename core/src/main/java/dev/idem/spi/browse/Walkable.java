package dev.idem.spi.browse;

import dev.idem.spi.EntryStore;
import dev.idem.spi.Moment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A store whose rows can be walked over, but not in an order: a store of keys and values, for instance. Each page of a
 * list, and each count, is one walk over all rows. A store with indexes is {@link Searchable} instead.
 */
public interface Walkable {
    /**
     * Some rows. A row that is there from the beginning to the end of a walk is met at least once; it may be met twice.
     *
     * @param dueOnly whether to leave out rows whose {@link EntryStore.Draft#dueIn()} is not over
     * @param place null to begin, else the {@link Batch#next()} of the batch before
     */
    Batch walk(boolean dueOnly, @Nullable String place);

    /** Deletes a row if its version is still the same. */
    boolean delete(EntryStore.Row seen);

    /**
     * Some rows.
     *
     * @param now the store's time, read before the rows
     * @param next where to go on; null at the end
     * @param unreadable rows that the store can't read: they must not end the walk
     */
    record Batch(
            List<EntryStore.Row> rows, Moment now, @Nullable String next, List<Page.Unreadable> unreadable) {
        /** Rows that could all be read. */
        public Batch(List<EntryStore.Row> rows, Moment now, @Nullable String next) {
            this(rows, now, next, List.of());
        }
    }
}
