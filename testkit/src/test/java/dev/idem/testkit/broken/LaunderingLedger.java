package dev.idem.testkit.broken;

import dev.idem.Entry;
import dev.idem.internal.rules.Step;
import dev.idem.spi.LedgerContext;
import dev.idem.spi.Moment;
import dev.idem.spi.Settled;
import dev.idem.spi.Settlement;
import dev.idem.spi.Ticket;
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
