package dev.idem.internal.call;

import dev.idem.Address;
import dev.idem.Entry;
import dev.idem.LedgerUnavailableException;
import dev.idem.State;
import dev.idem.internal.runtime.Clock;
import dev.idem.spi.Awaitable;
import dev.idem.spi.Ledger;
import dev.idem.spi.Settlement;
import dev.idem.spi.browse.Browsable;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Waits for the attempt that holds a key, without any write. It reads the entry when the ledger wakes it, when the
 * lease ends (which causes no wake), and at intervals.
 */
final class Waiting {
    private static final long FIRST_POLL = TimeUnit.MILLISECONDS.toNanos(5);
    private static final long SLOWEST_POLL = TimeUnit.MILLISECONDS.toNanos(250);
    /** The poll interval on a ledger that wakes its waiters, for wakes that were lost. */
    private static final long WATCHED_POLL = SLOWEST_POLL;

    private final Ledger ledger;
    private final Optional<Awaitable> wakes;
    private final Clock clock;

    Waiting(Ledger ledger, Clock clock) {
        this.ledger = ledger;
        this.wakes = ledger.as(Awaitable.class);
        this.clock = clock;
    }

    /** Counts a duplicate that has waited in this process for the call with this result, and did not ask the ledger. */
    void shared(Entry completed) {
        ledger.as(Browsable.class).ifPresent(counting -> counting.countReplay(completed));
    }

    /** The end of the wait. */
    enum End {
        /** The owner has settled the attempt as failed or in doubt. The waiter gets the same answer. */
        ENDED,
        /** The entry has changed: claim again. */
        CHANGED,
        /** The attempt still runs. */
        RUNS_ON
    }

    /** The end and the entry that shows it, if there still is one. */
    record Waited(End end, Optional<Entry> entry) {}

    /**
     * Waits until the deadline at most.
     *
     * @param lookAfter when to look again at the latest: at the end of the lease
     */
    Waited await(Address address, Duration lookAfter, long deadline) throws InterruptedException {
        var bell = new Semaphore(0);
        Awaitable.Watch watch = wakes.isPresent() ? wakes.get().watch(address, bell::release) : () -> {};
        try (watch) {
            long poll = wakes.isPresent() ? WATCHED_POLL : FIRST_POLL;
            long lookAt = clock.nanos() + Math.max(lookAfter.toNanos(), TimeUnit.MILLISECONDS.toNanos(1));
            while (true) {
                long now = clock.nanos();
                boolean last = now - deadline >= 0;
                Waited seen = look(address, last);
                if (last || seen.end() != End.RUNS_ON) {
                    return seen;
                }
                long untilLook = lookAt - now <= 0 ? poll : Math.min(poll, lookAt - now);
                if (bell.tryAcquire(Math.min(untilLook, deadline - now), TimeUnit.NANOSECONDS)) {
                    bell.drainPermits();
                }
                poll = wakes.isPresent() ? WATCHED_POLL : Math.min(poll * 2, SLOWEST_POLL);
            }
        }
    }

    /** Reads the entry. A missing answer counts as no change, unless this was the last read. */
    private Waited look(Address address, boolean last) {
        Optional<Entry> entry;
        try {
            entry = ledger.find(address);
        } catch (LedgerUnavailableException e) {
            if (last) {
                throw e;
            }
            return new Waited(End.RUNS_ON, Optional.empty());
        }
        boolean runs = entry.isPresent() && entry.get().state() == State.IN_PROGRESS;
        return new Waited(runs ? End.RUNS_ON : endOf(entry), entry);
    }

    /** Waits until the entry in doubt changes, at most until the given time. */
    void whileUnchanged(Entry doubted, long until) throws InterruptedException {
        Address address = doubted.address();
        var bell = new Semaphore(0);
        Awaitable.Watch watch = wakes.isPresent() ? wakes.get().watch(address, bell::release) : () -> {};
        try (watch) {
            for (long left = until - clock.nanos(); left > 0; left = until - clock.nanos()) {
                if (!isStill(doubted, look(address, false))) {
                    return;
                }
                if (bell.tryAcquire(Math.min(left, SLOWEST_POLL), TimeUnit.NANOSECONDS)) {
                    bell.drainPermits();
                }
            }
        }
    }

    private static boolean isStill(Entry doubted, Waited seen) {
        Entry entry = seen.entry().orElse(null);
        // A missing answer counts as no change.
        return entry == null
                ? seen.end() == End.RUNS_ON
                : entry.fence().equals(doubted.fence()) && entry.state() == State.IN_DOUBT;
    }

    private static End endOf(Optional<Entry> entry) {
        Settlement how = entry.map(Entry::settlement).orElse(null);
        return how instanceof Settlement.Failed || how instanceof Settlement.Doubtful ? End.ENDED : End.CHANGED;
    }
}
