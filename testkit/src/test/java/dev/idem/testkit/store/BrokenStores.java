package dev.idem.testkit.store;

import dev.idem.Address;
import dev.idem.State;
import dev.idem.spi.Clocks;
import dev.idem.spi.Fence;
import dev.idem.spi.Moment;
import dev.idem.spi.Ticket;
import dev.idem.spi.browse.Query;
import dev.idem.spi.browse.Walkable;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Stores with one mistake each. {@link BrokenStoresTest} shows which test catches it. */
final class BrokenStores {
    private BrokenStores() {}

    /** Compares only the version when a key is taken over, so that it replaces a lease that was renewed. */
    static final class LeaselessStore extends MapStore {
        LeaselessStore(Table table, Clocks clocks) {
            super(table, clocks);
        }

        @Override
        public Swap replace(Row seen, Draft next, Guard guard) {
            return super.replace(seen, next, Guard.VERSION);
        }
    }

    /** Counts versions per address instead of taking the writer's, so that they recur after a removal. */
    static final class CountingVersionStore extends MapStore {
        CountingVersionStore(Table table, Clocks clocks) {
            super(table, clocks);
        }

        @Override
        protected Row written(Address at, @Nullable Row old, Draft draft) {
            Row row = super.written(at, old, draft);
            return with(row, old == null ? 1 : old.version() + 1, row.fence(), row.state(), row.lease(), row.replays());
        }
    }

    /** Goes by the time at which its last call began, like a transaction that was left open. */
    static final class TransactionTimeStore extends MapStore {
        TransactionTimeStore(Table table, Clocks clocks) {
            super(table, new Clocks() {
                private Moment last = clocks.now();

                @Override
                public synchronized Moment now() {
                    Moment begun = last;
                    last = clocks.now();
                    return begun;
                }
            });
        }
    }

    /** Tells the loser of a race that it has won: its row is not the one that was written. */
    static final class LosingInsertStore extends MapStore {
        LosingInsertStore(Table table, Clocks clocks) {
            super(table, clocks);
        }

        @Override
        public Found insert(Address at, Draft first) {
            Moment now = clocks.now();
            Row row = table.rows.get(at);
            if (row != null) {
                return new Found(row, false, now);
            }
            Thread.yield();
            Row mine = written(at, null, first);
            table.rows.put(at, mine);
            return new Found(mine, true, now);
        }
    }

    /** Does not look whether its statement changed a row. */
    static final class UnreadAnswerStore extends MapStore {
        UnreadAnswerStore(Table table, Clocks clocks) {
            super(table, clocks);
        }

        @Override
        public Swap replace(Row seen, Draft next, Guard guard) {
            Swap swap = super.replace(seen, next, guard);
            return swap instanceof Swap.Changed ? new Swap.Written(written(seen.at(), seen, next)) : swap;
        }
    }

    /** Renews whatever has the fence, and so revives what was settled. */
    static final class RevivingStore extends MapStore {
        RevivingStore(Table table, Clocks clocks) {
            super(table, clocks);
        }

        @Override
        public Renewed renew(Map<Ticket, Duration> leases) {
            leases.keySet()
                    .forEach(ticket -> table.rows.computeIfPresent(ticket.address(), (at, row) -> {
                        boolean same = row.fence().equals(ticket.fence());
                        return same
                                ? with(row, row.version(), row.fence(), State.IN_PROGRESS, row.lease(), row.replays())
                                : row;
                    }));
            return super.renew(leases);
        }
    }

    /** Writes the count of replays that was seen over the one that is there. */
    static final class OverwritingCountStore extends MapStore {
        OverwritingCountStore(Table table, Clocks clocks) {
            super(table, clocks);
        }

        @Override
        public Swap replace(Row seen, Draft next, Guard guard) {
            Swap swap = super.replace(seen, next, guard);
            if (swap instanceof Swap.Written written) {
                Row row = written.row();
                Row counted = with(row, row.version(), row.fence(), row.state(), row.lease(), seen.replays());
                table.rows.put(row.at(), counted);
                return new Swap.Written(counted);
            }
            return swap;
        }
    }

    /** Draws fences per row, so that they begin again when the row was removed or forgotten. */
    static final class FallingFenceStore extends MapStore {
        FallingFenceStore(Table table, Clocks clocks) {
            super(table, clocks);
        }

        @Override
        protected Row written(Address at, @Nullable Row old, Draft draft) {
            Row row = super.written(at, old, draft);
            AtomicLong last = new AtomicLong(
                    old == null || old.state() == null ? 0 : old.fence().number());
            Fence fence = draft.newFence()
                    ? new Fence(last.incrementAndGet())
                    : Objects.requireNonNull(old).fence();
            return with(row, row.version(), fence, row.state(), row.lease(), row.replays());
        }
    }

    /** Deletes the row of a forgotten entry, and with it the fence and the trail. */
    static final class DeletingForgetStore extends MapStore {
        DeletingForgetStore(Table table, Clocks clocks) {
            super(table, clocks);
        }

        @Override
        public Swap replace(Row seen, Draft next, Guard guard) {
            Swap swap = super.replace(seen, next, guard);
            if (next.state() == null && swap instanceof Swap.Written written) {
                delete(written.row());
            }
            return swap;
        }
    }

    /** Takes rows as due when they expire, whatever their newest draft says. */
    static final class ExpiryIsDueStore extends MapStore {
        ExpiryIsDueStore(Table table, Clocks clocks) {
            super(table, clocks);
        }

        @Override
        boolean isDue(Row row, Moment now) {
            return row.expires() != null && !now.wall().isBefore(row.expires());
        }
    }

    /** Counts the rows of all scopes for everybody. */
    static final class ScopelessCountStore extends MapStore {
        ScopelessCountStore(Table table, Clocks clocks) {
            super(table, clocks);
        }

        @Override
        protected boolean isCounted(Row row, Query query, Instant now) {
            return super.isCounted(row, query.withScope(null), now);
        }
    }

    /** Counts rows that have expired, until a purge takes them away. */
    static final class ExpiredCountStore extends MapStore {
        ExpiredCountStore(Table table, Clocks clocks) {
            super(table, clocks);
        }

        @Override
        protected boolean isCounted(Row row, Query query, Instant now) {
            return query.matches(row.at());
        }
    }

    /** Begins every page of due rows at the first one, like a SELECT with a LIMIT alone. */
    static final class FirstPageStore extends MapStore {
        FirstPageStore(Table table, Clocks clocks) {
            super(table, clocks);
        }

        @Override
        public Walkable.Batch due(@Nullable String place, int limit) {
            return super.due(null, limit);
        }
    }
}
