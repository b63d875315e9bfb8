package dev.idem.postgresql;

import dev.idem.entry.Ticket;
import dev.idem.error.LedgerUnavailableException;
import dev.idem.ledger.GroupRenewing.Unrenewed;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/** Heartbeats. A row that somebody holds locked is waited for only where nobody else waits. */
final class Renewals {
    private static final int BATCH = 1000;
    private static final long PAUSE = Duration.ofMillis(2).toNanos();

    private final Steps steps;
    private final Duration lockTimeout;
    private final Supplier<String> ledger;

    /** Made with the words for the ledger, for messages. */
    Renewals(Steps steps, Duration lockTimeout, Supplier<String> ledger) {
        this.steps = steps;
        this.lockTimeout = lockTimeout;
        this.ledger = ledger;
    }

    /** False: the ticket is no longer current. */
    boolean one(Ticket ticket, Duration lease) {
        long since = System.nanoTime();
        boolean interrupted = false;
        try {
            Unrenewed unrenewed = steps.renew(List.of(Map.entry(ticket, lease)));
            while (!unrenewed.unanswered().isEmpty()) {
                if (System.nanoTime() - since > lockTimeout.toNanos()) {
                    throw new LedgerUnavailableException(
                            "ledger " + ledger.get() + " did not renew " + ticket.address()
                                    + ", whose row another transaction has locked. End that transaction",
                            null);
                }
                // With an interrupt pending no pause would be one, and the server be flooded.
                interrupted |= Thread.interrupted();
                LockSupport.parkNanos(PAUSE);
                unrenewed = steps.renew(List.of(Map.entry(ticket, lease)));
            }
            return unrenewed.lost().isEmpty();
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    Unrenewed all(Map<Ticket, Duration> leases) {
        Set<Ticket> lost = new HashSet<>();
        Set<Ticket> unanswered = new HashSet<>();
        List<Map.Entry<Ticket, Duration>> all = List.copyOf(leases.entrySet());
        for (int from = 0; from < all.size(); from += BATCH) {
            Unrenewed unrenewed = steps.renew(all.subList(from, Math.min(all.size(), from + BATCH)));
            lost.addAll(unrenewed.lost());
            unanswered.addAll(unrenewed.unanswered());
        }
        return new Unrenewed(lost, unanswered);
    }
}
