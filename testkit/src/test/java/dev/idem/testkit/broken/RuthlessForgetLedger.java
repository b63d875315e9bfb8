package dev.idem.testkit.broken;

import dev.idem.Entry;
import dev.idem.internal.rules.Step;
import dev.idem.spi.LedgerContext;
import dev.idem.spi.Moment;
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
