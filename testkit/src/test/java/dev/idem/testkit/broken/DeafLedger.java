package dev.idem.testkit.broken;

import dev.idem.Entry;
import dev.idem.internal.rules.Step;
import dev.idem.spi.LedgerContext;
import dev.idem.spi.Moment;
import dev.idem.spi.Settled;
import dev.idem.spi.Settlement;
import dev.idem.spi.Ticket;
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
