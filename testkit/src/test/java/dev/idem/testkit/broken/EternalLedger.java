package dev.idem.testkit.broken;

import dev.idem.entry.Entry;
import dev.idem.entry.Moment;
import dev.idem.entry.Settlement;
import dev.idem.entry.Ticket;
import dev.idem.ledger.LedgerContext;
import dev.idem.ledger.Settled;
import dev.idem.ledger.Step;
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
