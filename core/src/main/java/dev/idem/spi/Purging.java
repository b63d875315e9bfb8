package dev.idem.spi;

import dev.idem.Entry;
import dev.idem.LedgerUnreadableException;
import dev.idem.State;
import dev.idem.spi.EntryStore.Guard;
import dev.idem.spi.EntryStore.Row;
import dev.idem.spi.EntryStore.Swap;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.function.Predicate;

/**
 * Deletes rows that are due, or reduces them to their tombstones, by the rules.
 *
 * @param delete deletes a row if its version is still the same
 */
record Purging(EntryStore store, StateMachine rules, Drafts drafts, Predicate<Row> delete) {
    /**
     * Purges a row that is due, and returns whether it was deleted or reduced. An unreadable row is left unchanged: it
     * must not block the purge of other rows.
     */
    boolean purge(Row row, Moment now) {
        try {
            return purgeReadable(row, now);
        } catch (LedgerUnreadableException e) {
            System.getLogger("dev.idem").log(Level.WARNING, "an entry that can't be read is not purged", e);
            return false;
        }
    }

    private boolean purgeReadable(Row row, Moment now) {
        if (row.state() == null) {
            return delete.test(row);
        }
        Stored stored = EntryFormat.read(row);
        Entry left = rules.purged(stored.entry(), now);
        if (left == null) {
            return delete.test(row);
        }
        if (left.state() != State.EXPIRED || row.state() == State.EXPIRED) {
            return false;
        }
        Instant expires = Objects.requireNonNull(row.expires(), "an expired row has expired");
        Retention retention = Objects.requireNonNull(Drafts.retentionOf(left.settlement()));
        Duration rest = Duration.between(now.wall(), expires.plus(retention.tombstone()));
        Stored tombstone = new Stored(left, stored.limit(), stored.trail());
        return store.replace(row, drafts.tombstone(tombstone, rest), Guard.VERSION) instanceof Swap.Written;
    }
}
