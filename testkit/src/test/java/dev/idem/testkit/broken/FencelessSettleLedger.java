package dev.idem.testkit.broken;

import dev.idem.entry.Entry;
import dev.idem.entry.Moment;
import dev.idem.entry.Settlement;
import dev.idem.entry.Ticket;
import dev.idem.ledger.LedgerContext;
import dev.idem.ledger.Settled;
import dev.idem.ledger.Step;
import org.jspecify.annotations.Nullable;

/** Lets any ticket settle, also one that was overtaken. */
public final class FencelessSettleLedger extends PlainLedger {
    /** A broken handle on a store. */
    public FencelessSettleLedger(PlainStore store, LedgerContext context) {
        super(store, context);
    }

    @Override
    protected Step<Settled> settle(@Nullable Entry found, Ticket ticket, Settlement how, Moment now) {
        return rules().settle(found, found == null ? ticket : found.ticket(), how, now);
    }
}
