package dev.idem.testkit.broken;

import dev.idem.Entry;
import dev.idem.internal.rules.Step;
import dev.idem.spi.LedgerContext;
import dev.idem.spi.Mark;
import dev.idem.spi.Ticket;
import org.jspecify.annotations.Nullable;

/** Lets any ticket mark, also one that was overtaken. */
public final class StaleMarkLedger extends PlainLedger {
    /** A broken handle on a store. */
    public StaleMarkLedger(PlainStore store, LedgerContext context) {
        super(store, context);
    }

    @Override
    protected Step<Boolean> mark(@Nullable Entry found, Ticket ticket, Mark mark) {
        return rules().mark(found, found == null ? ticket : found.ticket(), mark);
    }
}
