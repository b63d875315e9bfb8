package dev.idem.internal.store;

import dev.idem.Entry;
import dev.idem.LedgerUnreadableException;
import dev.idem.State;
import dev.idem.internal.rules.StateMachine;
import dev.idem.spi.EntryStore;
import dev.idem.spi.EntryStore.Guard;
import dev.idem.spi.EntryStore.Row;
import dev.idem.spi.EntryStore.Swap;
import dev.idem.spi.Moment;
import dev.idem.spi.Retention;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.ToIntBiFunction;

/**
 * Deletes rows that are due, or reduces them to their tombstones, by the rules.
 *
 * @param delete deletes rows whose version is still the same, and gives how many those were
 */
public record Purging(EntryStore store, StateMachine rules, Drafts drafts, ToIntBiFunction<List<Row>, Moment> delete) {
    /**
     * Purges rows that are due, and returns how many were deleted or reduced. An unreadable row is left unchanged: it must
     * not block the purge of other rows.
     */
    public int purge(List<Row> due, Moment now) {
        List<Row> over = new ArrayList<>();
        int stripped = 0;
        for (Row row : due) {
            try {
                Stored stored = row.state() == null ? null : EntryFormat.read(row);
                Entry left = stored == null ? null : rules.purged(stored.entry(), now);
                if (stored == null || left == null) {
                    over.add(row);
                } else if (left.state() == State.EXPIRED && row.state() != State.EXPIRED) {
                    stripped += strip(row, new Stored(left, stored.limit(), stored.trail()), now) ? 1 : 0;
                }
            } catch (LedgerUnreadableException e) {
                System.Logger log = System.getLogger("dev.idem");
                log.log(Level.WARNING, () -> "an entry that can't be read is not purged: " + e.getMessage());
                log.log(Level.DEBUG, "an entry that can't be read is not purged", e);
            }
        }
        return stripped + (over.isEmpty() ? 0 : delete.applyAsInt(over, now));
    }

    /** Reduces a row to its tombstone. */
    private boolean strip(Row row, Stored tombstone, Moment now) {
        Instant expires = Objects.requireNonNull(row.expires(), "an expired row has expired");
        Retention retention =
                Objects.requireNonNull(Drafts.retentionOf(tombstone.entry().settlement()));
        Duration rest = Duration.between(now.wall(), expires.plus(retention.tombstone()));
        return store.replace(row, drafts.tombstone(tombstone, rest), Guard.VERSION) instanceof Swap.Written;
    }
}
