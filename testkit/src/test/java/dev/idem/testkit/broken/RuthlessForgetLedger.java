package dev.idem.testkit.broken;

import dev.idem.entry.Entry;
import dev.idem.entry.Moment;
import dev.idem.ledger.LedgerContext;
import dev.idem.ledger.Step;
import org.jspecify.annotations.Nullable;

/** Forgets an entry while its ticket lives. */
public final class RuthlessForgetLedger extends PlainLedger {
    /** A broken handle on a store. */
    public RuthlessForgetLedger(PlainStore store, LedgerContext context) {
        super(store, context);
    }

    @Override
    protected Step<Boolean> forget(@Nullable Entry found, Entry seen, Moment now) {
        return found != null && found.fence().equals(seen.fence()) ? Step.remove(true) : Step.keep(false);
    }
}
