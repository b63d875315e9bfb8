package dev.idem.internal.call;

import dev.idem.Address;
import dev.idem.Entry;
import dev.idem.LedgerUnavailableException;
import dev.idem.internal.runtime.Clock;
import dev.idem.spi.AttemptId;
import dev.idem.spi.ClaimRequest;
import dev.idem.spi.Failure;
import dev.idem.spi.Ledger;
import dev.idem.spi.Retention;
import dev.idem.spi.Settled;
import dev.idem.spi.Settlement;
import java.time.Duration;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Claims without an answer: the ledger may have granted them, but their actions did not run. When the ledger answers
 * again, they are settled as not executed. Otherwise they would lapse into doubt although nothing happened.
 */
final class UnansweredClaims {
    private static final int MOST = 10_000;
    private static final long TRY_FOR = Duration.ofHours(1).toNanos();
    private static final long LONGEST = Duration.ofMillis(100).toNanos();
    private static final String WHY = "no answer came to the claim, so nothing was run";

    private final Queue<Lost> lost = new ConcurrentLinkedQueue<>();
    private final Ledger ledger;
    private final Clock clock;

    UnansweredClaims(Ledger ledger, Clock clock) {
        this.ledger = ledger;
        this.clock = clock;
    }

    private record Lost(ClaimRequest request, long since) {}

    /** Adds a claim whose caller has given up. False if too many are waiting: then its lease expires into doubt. */
    boolean add(ClaimRequest request) {
        return lost.size() < MOST && lost.add(new Lost(request, clock.nanos()));
    }

    /** Settles claims for a short time only, because other calls wait for their heartbeats. */
    void settle() {
        long end = clock.nanos() + LONGEST;
        for (Lost first = lost.peek(); first != null && clock.nanos() - end < 0; first = lost.peek()) {
            try {
                settle(first.request());
            } catch (LedgerUnavailableException e) {
                if (clock.nanos() - first.since() < TRY_FOR) {
                    return;
                }
            } catch (RuntimeException e) {
                LedgerTrouble.warn(() -> "a claim without an answer can't be settled; it will lapse", e);
            }
            lost.remove(first);
        }
    }

    private void settle(ClaimRequest request) {
        withdraw(ledger, request.address(), request.attemptId(), WHY);
    }

    /** Settles an attempt that ran nothing, if its claim was granted and it holds the key. */
    static Optional<Settled> withdraw(Ledger ledger, Address address, AttemptId id, String why) {
        return ledger.find(address)
                .filter(entry -> entry.tenure().attemptId().equals(id))
                .filter(entry -> entry.settlement() == null)
                .map(entry -> ledger.settle(entry.ticket(), nothingRan(entry, why)));
    }

    /**
     * The settlement for this attempt alone. From a ticket that may act, NotExecuted keeps an earlier doubt; from a
     * probing ticket it would count as the probe's verdict.
     */
    private static Settlement nothingRan(Entry entry, String why) {
        return entry.tenure().acted().equals(entry.fence())
                ? new Settlement.NotExecuted(why, Retention.DEFAULT)
                : new Settlement.Failed(new Failure("no answer", why), false, Retention.DEFAULT);
    }
}
