package dev.idem.testkit.broken;

import dev.idem.entry.Entry;
import dev.idem.entry.Moment;
import dev.idem.entry.Settlement;
import dev.idem.entry.Ticket;
import dev.idem.ledger.LedgerContext;
import dev.idem.ledger.Settled;
import dev.idem.ledger.Step;
import org.jspecify.annotations.Nullable;

/** Refuses a completion that comes late, though the taker still probes. */
public final class DeafLedger extends PlainLedger {
    /** A broken handle on a store. */
    public DeafLedger(PlainStore store, LedgerContext context) {
        super(store, context);
    }

    @Override
    protected Step<Settled> settle(@Nullable Entry found, Ticket ticket, Settlement how, Moment now) {
        return found != null && !found.fence().equals(ticket.fence())
                ? Step.keep(new Settled.Stale(view(found, now)))
                : super.settle(found, ticket, how, now);
    }
}
