package dev.idem.internal.call;

import dev.idem.LedgerUnavailableException;
import dev.idem.internal.runtime.Clock;
import dev.idem.spi.ClaimRequest;
import dev.idem.spi.GroupRenewing;
import dev.idem.spi.Ledger;
import dev.idem.spi.Ticket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Renews the tickets of all running calls at a third of their leases, from one thread. It checks in fixed ticks, so a
 * call that ends earlier costs it nothing.
 */
public final class Heartbeats implements AutoCloseable {
    private static final long SLOWEST_TICK = Duration.ofSeconds(1).toNanos();

    private final Set<HeldTicket> held = ConcurrentHashMap.newKeySet();
    /** Actions past their time limit: they get no more heartbeats, but may still settle. */
    private final Set<HeldTicket> overrunning = ConcurrentHashMap.newKeySet();

    private final ReentrantLock starting = new ReentrantLock();
    private final Ledger ledger;
    private final Clock clock;
    private final Events events;
    private final UnansweredClaims unansweredClaims;
    /** Watches the time limits of this object's tickets, which get no heartbeats; null where they get them. */
    private final @Nullable Heartbeats limits;
    /** Actions to be interrupted at their time limit that get no heartbeats. */
    private final Set<HeldTicket> limited = ConcurrentHashMap.newKeySet();

    private volatile long tick = SLOWEST_TICK;
    private volatile @Nullable Thread thread;
    private volatile boolean closed;

    Heartbeats(Ledger ledger, Clock clock, Events events) {
        this(ledger, clock, events, null);
    }

    /**
     * Holds tickets and never renews them: no other owner can see an entry before its transaction is committed.
     *
     * @param limits interrupts actions at their time limit
     */
    static Heartbeats none(Ledger ledger, Clock clock, Events events, Heartbeats limits) {
        return new Heartbeats(ledger, clock, events, limits);
    }

    private Heartbeats(Ledger ledger, Clock clock, Events events, @Nullable Heartbeats limits) {
        this.limits = limits;
        this.ledger = ledger;
        this.clock = clock;
        this.events = events;
        this.unansweredClaims = new UnansweredClaims(ledger, clock);
    }

    /** Settles an unanswered claim once the ledger answers again. */
    void settleLater(ClaimRequest unanswered) {
        if (unansweredClaims.add(unanswered)) {
            ready();
        }
    }

    /** Makes sure that the heartbeat thread runs. Call it before a claim: the owner must be able to renew its lease. */
    void ready() {
        if (thread == null && limits == null) {
            start();
        }
    }

    /** Renews the ticket from the time its claim was sent until it is released or its time limit is over. */
    HeldTicket hold(Ticket ticket, Duration lease, ClaimStart sent, Duration timeLimit, @Nullable Thread worker) {
        HeldTicket one = new HeldTicket(ticket, lease, sent, timeLimit, worker);
        if (limits == null) {
            watch(one, held);
        } else if (worker != null) {
            limits.watch(one, limits.limited);
        }
        return one;
    }

    private void watch(HeldTicket one, Set<HeldTicket> among) {
        long wanted = Math.max(1_000_000, Math.min(one.leaseNanos / 6, SLOWEST_TICK));
        if (wanted < tick) {
            hasten(wanted);
        }
        ready();
        among.add(one);
    }

    /** Shortens the tick. Of two concurrent calls the shorter tick wins. */
    private void hasten(long wanted) {
        starting.lock();
        try {
            tick = Math.min(tick, wanted);
        } finally {
            starting.unlock();
        }
        LockSupport.unpark(thread);
    }

    void release(HeldTicket one) {
        one.released = true;
        if (limits != null) {
            limits.limited.remove(one);
            return;
        }
        held.remove(one);
        if (!overrunning.isEmpty()) {
            overrunning.remove(one);
        }
    }

    /** Whether heartbeats have stopped. */
    boolean closed() {
        return closed;
    }

    int running() {
        // In this order: a ticket that moves from one set to the other meanwhile must not be missed.
        int kept = held.size();
        return kept + overrunning.size();
    }

    private void start() {
        starting.lock();
        try {
            if (thread == null && !closed) {
                Thread made = new Thread(this::beat, "idem-heartbeats");
                made.setDaemon(true);
                made.start();
                thread = made;
            }
        } finally {
            starting.unlock();
        }
    }

    private void beat() {
        while (!closed) {
            // A listener or a driver may have left the thread interrupted; later pauses would return at once.
            Thread.interrupted();
            LockSupport.parkNanos(this, tick);
            try {
                renewDue();
                unansweredClaims.settle();
            } catch (RuntimeException | Error e) {
                LedgerTrouble.warn(() -> "a heartbeat failed; the next one follows", e);
            }
        }
    }

    private void renewDue() {
        long now = clock.nanos();
        long wallNow = clock.millis();
        held.removeIf(one -> overran(one, now));
        limited.removeIf(one -> stopped(one, now));
        List<HeldTicket> due = new ArrayList<>();
        for (HeldTicket one : held) {
            if (one.due(now, wallNow)) {
                due.add(one);
            }
        }
        if (due.isEmpty()) {
            return;
        }
        for (HeldTicket one : due) {
            // If the ledger does not answer, the next try comes well before the end of the lease.
            one.nextAt = now + one.leaseNanos / 9;
        }
        GroupRenewing group =
                due.size() == 1 ? null : ledger.as(GroupRenewing.class).orElse(null);
        if (group == null) {
            due.forEach(one -> renewOne(one, now, wallNow));
        } else {
            renewTogether(group, due, now, wallNow);
        }
    }

    /** After its time limit an action gets no more heartbeats, and is interrupted if it asked for that. */
    private boolean overran(HeldTicket one, long now) {
        if (!stopped(one, now)) {
            return false;
        }
        if (one.settlesItself) {
            overrunning.add(one);
            if (one.released) {
                overrunning.remove(one);
            }
        }
        return true;
    }

    private static boolean stopped(HeldTicket one, long now) {
        if (now - one.limitAt < 0) {
            return false;
        }
        one.overran = true;
        one.stop();
        return true;
    }

    private void renewOne(HeldTicket one, long now, long wallNow) {
        try {
            note(one, ledger.renew(one.ticket, one.lease), now, wallNow);
        } catch (RuntimeException e) {
            // Without an answer this ticket keeps its old renewal time; the others are still renewed.
            LedgerTrouble.warn(() -> "no answer to the renewal of " + one.ticket.address(), e);
            unanswered(one, now, wallNow);
        }
    }

    private void renewTogether(GroupRenewing group, List<HeldTicket> due, long now, long wallNow) {
        Map<Ticket, Duration> leases = new HashMap<>();
        due.forEach(one -> leases.put(one.ticket, one.lease));
        try {
            GroupRenewing.Unrenewed unrenewed = group.renewAll(leases);
            due.forEach(one -> noteGrouped(one, unrenewed, now, wallNow));
        } catch (LedgerUnavailableException e) {
            LedgerTrouble.warn(() -> "no answer to the renewal of " + leases.size() + " tickets", e);
            due.forEach(one -> unanswered(one, now, wallNow));
        } catch (RuntimeException e) {
            LedgerTrouble.warn(
                    () -> "the renewal of " + leases.size() + " tickets failed; each is renewed by itself", e);
            due.forEach(one -> renewOne(one, now, wallNow));
        }
    }

    private void noteGrouped(HeldTicket one, GroupRenewing.Unrenewed unrenewed, long now, long wallNow) {
        if (unrenewed.unanswered().contains(one.ticket)) {
            unanswered(one, now, wallNow);
        } else {
            note(one, !unrenewed.lost().contains(one.ticket), now, wallNow);
        }
    }

    /** After a whole lease without an answer the ticket may be lost: notifies the action, and keeps trying. */
    private void unanswered(HeldTicket one, long now, long wallNow) {
        if (!one.settling && !one.trusted(now, wallNow)) {
            tellLost(one);
        }
    }

    private void tellLost(HeldTicket one) {
        if (!one.toldLost) {
            one.toldLost = true;
            events.lost(one.ticket);
            one.stop();
        }
    }

    private void note(HeldTicket one, boolean renewed, long now, long wallNow) {
        if (renewed) {
            one.renewed(now, wallNow);
            one.nextAt = now + one.leaseNanos / 3;
        } else if (!one.settling && held.remove(one)) {
            one.lost = true;
            tellLost(one);
        }
    }

    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
    }
}
