package dev.idem.torture.broken;

import dev.idem.spi.Claim;
import dev.idem.spi.ClaimRequest;
import dev.idem.spi.ForwardingLedger;
import dev.idem.spi.Ledger;
import dev.idem.spi.Retention;
import dev.idem.spi.Settlement;

/** Treats a dead owner as one that has done nothing. */
final class RerunningLedger extends ForwardingLedger {
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
