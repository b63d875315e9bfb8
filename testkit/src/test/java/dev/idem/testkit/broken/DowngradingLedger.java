package dev.idem.testkit.broken;

import dev.idem.entry.Entry;
import dev.idem.entry.Moment;
import dev.idem.entry.Settlement;
import dev.idem.entry.Ticket;
import dev.idem.ledger.LedgerContext;
import dev.idem.ledger.Settled;
import dev.idem.ledger.Step;
import org.jspecify.annotations.Nullable;

/** Lets the current ticket settle again over what is complete. */
public final class DowngradingLedger extends PlainLedger {
    /** A broken handle on a store. */
    public DowngradingLedger(PlainStore store, LedgerContext context) {
        super(store, context);
    }

    @Override
    protected Step<Settled> settle(@Nullable Entry found, Ticket ticket, Settlement how, Moment now) {
        return super.settle(found == null ? null : Edits.inProgress(found), ticket, how, now);
    }
}
