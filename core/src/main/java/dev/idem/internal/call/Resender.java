package dev.idem.internal.call;

import dev.idem.Entry;
import dev.idem.LedgerUnavailableException;
import dev.idem.internal.runtime.Clock;
import dev.idem.internal.runtime.Nanos;
import dev.idem.spi.Claim;
import dev.idem.spi.ClaimRequest;
import dev.idem.spi.Failure;
import dev.idem.spi.Ledger;
import dev.idem.spi.Settled;
import dev.idem.spi.Settlement;
import dev.idem.spi.Ticket;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Repeats requests to the ledger after a lost answer. A claim carries its attempt id and a settle its ticket, so a
 * repetition has no further effect.
 */
final class Resender {
    private static final Duration CLAIM_FOR = Duration.ofSeconds(2);
    private static final long FIRST_PAUSE = 5_000_000;
    private static final long LONGEST_PAUSE = 500_000_000;

    private final Ledger ledger;
    private final Clock clock;
    private final Duration claimFor;
    private final Duration settleFor;
    private final Consumer<ClaimRequest> unanswered;

    /** {@code unanswered} receives claims that got no answer and may have been granted. */
    Resender(Ledger ledger, Clock clock, Duration settleFor, Consumer<ClaimRequest> unanswered) {
        this(ledger, clock, CLAIM_FOR, settleFor, unanswered);
    }

    /** Sends every request once. */
    static Resender never(Ledger ledger, Clock clock) {
        return new Resender(ledger, clock, Duration.ZERO, Duration.ZERO, unanswered -> {});
    }

    private Resender(
            Ledger ledger, Clock clock, Duration claimFor, Duration settleFor, Consumer<ClaimRequest> unanswered) {
        this.claimFor = claimFor;
        this.unanswered = unanswered;
        this.ledger = ledger;
        this.clock = clock;
        this.settleFor = settleFor;
    }

    /**
     * Takes a doubt for its next round: of all calls that bring that round, one gets it. The doubt stays. A lost answer
     * counts as not taken, so the request is sent once.
     */
    boolean resume(Entry doubted) {
        Failure begun = new Failure("next_round", "the next round of the call was begun");
        return ledger.resolve(doubted.address(), doubted.fence(), new Settlement.Doubtful(begun));
    }

    /** Throws {@link LedgerUnavailableException} if the ledger gives no answer: then nothing may run. */
    Claim claim(ClaimRequest request) {
        try {
            return ledger.claim(request);
        } catch (LedgerUnavailableException first) {
            Duration longest = claimFor.compareTo(request.lease()) < 0 ? claimFor : request.lease();
            try {
                return again(() -> ledger.claim(request), longest, first);
            } catch (LedgerUnavailableException last) {
                unanswered.accept(request);
                throw last;
            }
        }
    }

    /** Throws {@link LedgerUnavailableException} when the ledger gives no answer: the entry will be in doubt. */
    Settled settle(Ticket ticket, Settlement how) {
        // An interrupt is meant for the action; it must not prevent the record of its outcome.
        boolean interrupted = Thread.interrupted();
        try {
            return ledger.settle(ticket, how);
        } catch (LedgerUnavailableException first) {
            return again(() -> ledger.settle(ticket, how), settleFor, first);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private <A> A again(Supplier<A> ask, Duration longest, LedgerUnavailableException first) {
        long end = clock.nanos() + Nanos.of(longest);
        long pause = FIRST_PAUSE;
        LedgerUnavailableException last = first;
        boolean interrupted = false;
        try {
            while (clock.nanos() - end < 0) {
                // With an interrupt pending, pauses would return at once and the ledger would be flooded.
                interrupted |= Thread.interrupted();
                LockSupport.parkNanos(pause);
                pause = Math.min(pause * 2, LONGEST_PAUSE);
                try {
                    return ask.get();
                } catch (LedgerUnavailableException e) {
                    last = e;
                }
            }
            throw last;
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
