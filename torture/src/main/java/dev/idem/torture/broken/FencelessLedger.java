package dev.idem.torture.broken;

import dev.idem.entry.Settlement;
import dev.idem.entry.Ticket;
import dev.idem.ledger.ForwardingLedger;
import dev.idem.ledger.Ledger;
import dev.idem.ledger.Settled;

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
