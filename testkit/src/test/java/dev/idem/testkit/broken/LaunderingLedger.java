package dev.idem.testkit.broken;

import dev.idem.entry.Entry;
import dev.idem.entry.Moment;
import dev.idem.entry.Settlement;
import dev.idem.entry.Ticket;
import dev.idem.ledger.LedgerContext;
import dev.idem.ledger.Settled;
import dev.idem.ledger.Step;
import org.jspecify.annotations.Nullable;

/** Takes a failure after a take-over for the last word, and forgets the earlier doubt. */
public final class LaunderingLedger extends PlainLedger {
    /** A broken handle on a store. */
    public LaunderingLedger(PlainStore store, LedgerContext context) {
        super(store, context);
    }

    @Override
    protected Step<Settled> settle(@Nullable Entry found, Ticket ticket, Settlement how, Moment now) {
        return found != null && how instanceof Settlement.Failed && !found.probing()
                ? super.settle(Edits.withoutDoubt(found), ticket, how, now)
                : super.settle(found, ticket, how, now);
    }
}
