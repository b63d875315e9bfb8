package dev.idem.torture.broken;

import dev.idem.spi.Claim;
import dev.idem.spi.ClaimRequest;
import dev.idem.spi.ForwardingLedger;
import dev.idem.spi.Ledger;

/** Forgets some complete entries, as a cache does that is taken for a ledger. */
final class ForgetfulLedger extends ForwardingLedger {
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
