package dev.idem.testkit.broken;

import dev.idem.Entry;
import dev.idem.Repeat;
import dev.idem.internal.rules.Step;
import dev.idem.spi.Claim;
import dev.idem.spi.ClaimRequest;
import dev.idem.spi.LedgerContext;
import dev.idem.spi.Moment;
import org.jspecify.annotations.Nullable;

/** Answers every repeat from the past, also that of an operation that runs again. */
public final class ReplayingLedger extends PlainLedger {
    /** A broken handle on a store. */
    public ReplayingLedger(PlainStore store, LedgerContext context) {
        super(store, context);
    }

    @Override
    protected Step<Claim> claim(@Nullable Entry found, ClaimRequest request, Moment now) {
        return super.claim(found, request.withRepeat(Repeat.REPLAY), now);
    }
}
