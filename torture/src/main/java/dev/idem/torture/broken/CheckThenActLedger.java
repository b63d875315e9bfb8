package dev.idem.torture.broken;

import dev.idem.spi.Claim;
import dev.idem.spi.ClaimRequest;
import dev.idem.spi.ForwardingLedger;
import dev.idem.spi.Ledger;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Reads first and claims later: callers that found nothing continue, even if another has claimed in between. */
final class CheckThenActLedger extends ForwardingLedger {
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
