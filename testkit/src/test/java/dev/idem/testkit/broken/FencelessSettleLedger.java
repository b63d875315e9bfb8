package dev.idem.testkit.broken;

import dev.idem.Entry;
import dev.idem.internal.rules.Step;
import dev.idem.spi.LedgerContext;
import dev.idem.spi.Moment;
import dev.idem.spi.Settled;
import dev.idem.spi.Settlement;
import dev.idem.spi.Ticket;
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
