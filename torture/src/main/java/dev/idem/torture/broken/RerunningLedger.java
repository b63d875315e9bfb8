package dev.idem.torture.broken;

import dev.idem.entry.Retention;
import dev.idem.entry.Settlement;
import dev.idem.ledger.Claim;
import dev.idem.ledger.ClaimRequest;
import dev.idem.ledger.ForwardingLedger;
import dev.idem.ledger.Ledger;

/** Takes an owner that is gone for one that has done nothing. */
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
