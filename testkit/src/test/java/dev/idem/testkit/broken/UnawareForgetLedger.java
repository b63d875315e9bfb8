package dev.idem.testkit.broken;

import dev.idem.Entry;
import dev.idem.internal.rules.Step;
import dev.idem.spi.LedgerContext;
import dev.idem.spi.Moment;
import org.jspecify.annotations.Nullable;

/** Goes by the fence alone, and forgets a completion that came after somebody had seen a doubt. */
public final class UnawareForgetLedger extends PlainLedger {
    /** A broken handle on a store. */
    public UnawareForgetLedger(PlainStore store, LedgerContext context) {
        super(store, context);
    }

    @Override
    protected Step<Boolean> forget(@Nullable Entry found, Entry seen, Moment now) {
        Entry current = found == null ? null : view(found, now);
        return current != null && current.fence().equals(seen.fence())
                ? super.forget(found, current, now)
                : Step.keep(false);
    }
}
