package dev.idem.testkit.broken;

import dev.idem.Entry;
import dev.idem.State;
import dev.idem.internal.rules.Step;
import dev.idem.spi.Claim;
import dev.idem.spi.ClaimRequest;
import dev.idem.spi.LedgerContext;
import dev.idem.spi.Moment;
import dev.idem.spi.Retention;
import org.jspecify.annotations.Nullable;

/** Lets doubt expire like a result, and so lets it run again. */
public final class DoubtExpiringLedger extends PlainLedger {
    /** A broken handle on a store. */
    public DoubtExpiringLedger(PlainStore store, LedgerContext context) {
        super(store, context);
    }

    @Override
    protected @Nullable Entry view(Entry entry, Moment now) {
        return old(entry, now) ? null : super.view(entry, now);
    }

    @Override
    protected Step<Claim> claim(@Nullable Entry found, ClaimRequest request, Moment now) {
        return super.claim(found == null || old(found, now) ? null : found, request, now);
    }

    private static boolean old(Entry entry, Moment now) {
        return entry.state() == State.IN_DOUBT
                && now.wall().isAfter(entry.times().claimed().plus(Retention.DEFAULT.keep()));
    }
}
