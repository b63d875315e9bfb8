package dev.idem.testkit.broken;

import dev.idem.Entry;
import dev.idem.internal.rules.Step;
import dev.idem.spi.LedgerContext;
import dev.idem.spi.Moment;
import dev.idem.spi.Settled;
import dev.idem.spi.Settlement;
import dev.idem.spi.Ticket;
import org.jspecify.annotations.Nullable;

/** Keeps no retention: what is settled answers for ever. */
public final class EternalLedger extends PlainLedger {
    /** A broken handle on a store. */
    public EternalLedger(PlainStore store, LedgerContext context) {
        super(store, context);
    }

    @Override
    protected Step<Settled> settle(@Nullable Entry found, Ticket ticket, Settlement how, Moment now) {
        Step<Settled> step = super.settle(found, ticket, how, now);
        Entry put = step.put();
        return put == null ? step : Step.put(new Settled.Recorded(Edits.withoutExpiry(put)), Edits.withoutExpiry(put));
    }
}
