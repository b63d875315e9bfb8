package dev.idem.spi.browse;

import dev.idem.spi.Ledger;
import java.util.OptionalLong;

/** A ledger whose entries can be listed, counted and purged. */
public interface Browsable {
    /** One page of entries, newest claim first unless the query says otherwise, as {@link Ledger#find} would show each of them. */
    Page browse(Query query);

    /**
     * Removes up to {@code limit} expired entries (or reduces them to their tombstones) and returns how many. It never
     * touches entries in progress or in doubt.
     */
    int purge(int limit);

    /** How many entries a purge would remove or reduce now; empty where only a purge can find out. */
    default OptionalLong purgeable() {
        return OptionalLong.empty();
    }

    /** How many entries there are in each state, and how often they have answered duplicates. */
    Stats stats();

    /** Writes the counts of replays that are only in memory, so that other processes see them. */
    default void writeCounts() {}
}
