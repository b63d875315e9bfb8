package dev.idem.torture.broken;

import dev.idem.spi.ForwardingLedger;
import dev.idem.spi.Ledger;
import dev.idem.spi.Settled;
import dev.idem.spi.Settlement;
import dev.idem.spi.Ticket;

/** Lets any ticket settle, also one that was overtaken. */
final class FencelessLedger extends ForwardingLedger {
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
