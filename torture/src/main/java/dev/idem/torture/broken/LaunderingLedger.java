package dev.idem.torture.broken;

import dev.idem.State;
import dev.idem.spi.ForwardingLedger;
import dev.idem.spi.Ledger;
import dev.idem.spi.Settled;
import dev.idem.spi.Settlement;
import dev.idem.spi.Ticket;

/** Accepts a failure after a take-over as final, and forgets the earlier doubt. */
final class LaunderingLedger extends ForwardingLedger {
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
