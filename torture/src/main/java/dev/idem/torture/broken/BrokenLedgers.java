package dev.idem.torture.broken;

import dev.idem.State;
import dev.idem.spi.Claim;
import dev.idem.spi.ClaimRequest;
import dev.idem.spi.ForwardingLedger;
import dev.idem.spi.Ledger;
import dev.idem.spi.Retention;
import dev.idem.spi.Settled;
import dev.idem.spi.Settlement;
import dev.idem.spi.Ticket;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;

/** The ledgers that are broken on purpose, by name. */
public final class BrokenLedgers {
    private static final Map<String, UnaryOperator<Ledger>> ALL = new TreeMap<>(Map.of(
            "fenceless", FencelessLedger::new,
            "laundering", LaunderingLedger::new,
            "forgetful", ForgetfulLedger::new,
            "check-then-act", CheckThenActLedger::new,
            "trusting", TrustingLedger::new,
            "rerunning", RerunningLedger::new,
            "tombless", TomblessLedger::new,
            "rowless", RowlessLedger::new,
            "unwritten", UnwrittenLedger::new));

    private BrokenLedgers() {}

    /** The values of {@code --broken}. */
    public static Set<String> names() {
        return new TreeSet<>(ALL.keySet());
    }

    /** The ledger broken as named; an empty name leaves it as it is. */
    public static Ledger broken(Ledger ledger, String name) {
        return name.isEmpty()
                ? ledger
                : ALL.getOrDefault(name, UnaryOperator.identity()).apply(ledger);
    }

    /** Reads first and claims later: callers that found nothing continue, even if another has claimed in between. */
    private static final class CheckThenActLedger extends ForwardingLedger {
        CheckThenActLedger(Ledger inner) {
            super(inner);
        }

        @Override
        public Claim claim(ClaimRequest request) {
            boolean nothing = inner.find(request.address()).isEmpty();
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
            Claim claim = inner.claim(request);
            return nothing && claim instanceof Claim.InFlight taken ? new Claim.Granted(taken.entry()) : claim;
        }
    }

    /** Lets any ticket settle, also one that was overtaken. */
    private static final class FencelessLedger extends ForwardingLedger {
        FencelessLedger(Ledger inner) {
            super(inner);
        }

        @Override
        public Settled settle(Ticket ticket, Settlement how) {
            Settled settled = inner.settle(ticket, how);
            return settled instanceof Settled.Stale stale && stale.entry() != null
                    ? inner.settle(stale.entry().ticket(), how)
                    : settled;
        }
    }

    /** Forgets some complete entries, as a cache does that is taken for a ledger. */
    private static final class ForgetfulLedger extends ForwardingLedger {
        ForgetfulLedger(Ledger inner) {
            super(inner);
        }

        @Override
        public Claim claim(ClaimRequest request) {
            Claim claim = inner.claim(request);
            boolean forgets = claim instanceof Claim.Replay && request.address().hashCode() % 5 == 0;
            return forgets && inner.forget(claim.entry()) ? inner.claim(request) : claim;
        }
    }

    /** Accepts a failure after a take-over as final, and forgets the earlier doubt. */
    private static final class LaunderingLedger extends ForwardingLedger {
        LaunderingLedger(Ledger inner) {
            super(inner);
        }

        @Override
        public Settled settle(Ticket ticket, Settlement how) {
            Settled settled = inner.settle(ticket, how);
            boolean washed = how instanceof Settlement.Failed
                    && settled instanceof Settled.Recorded recorded
                    && recorded.entry().state() == State.IN_DOUBT
                    && inner.resolve(ticket.address(), recorded.entry().fence(), how);
            return washed
                    ? inner.find(ticket.address())
                            .<Settled>map(Settled.Recorded::new)
                            .orElse(settled)
                    : settled;
        }
    }

    /** Treats a dead owner as one that has done nothing. */
    private static final class RerunningLedger extends ForwardingLedger {
        RerunningLedger(Ledger inner) {
            super(inner);
        }

        @Override
        public Claim claim(ClaimRequest request) {
            Claim claim = inner.claim(request);
            Settlement freed = new Settlement.NotExecuted("its lease is over", Retention.DEFAULT);
            return claim instanceof Claim.InDoubt
                            && inner.resolve(request.address(), claim.entry().fence(), freed)
                    ? inner.claim(request)
                    : claim;
        }
    }

    /** Compares no fingerprints: a key used for something else is answered with the first result. */
    private static final class TrustingLedger extends ForwardingLedger {
        TrustingLedger(Ledger inner) {
            super(inner);
        }

        @Override
        public Claim claim(ClaimRequest request) {
            Claim claim = inner.claim(request);
            return claim instanceof Claim.Conflict && claim.entry().state() == State.COMPLETE
                    ? new Claim.Replay(claim.entry())
                    : claim;
        }
    }
}
