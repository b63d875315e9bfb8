package dev.idem.testkit.broken;

import dev.idem.Entry;
import dev.idem.internal.rules.Step;
import dev.idem.spi.Claim;
import dev.idem.spi.ClaimRequest;
import dev.idem.spi.LedgerContext;
import dev.idem.spi.Moment;
import org.jspecify.annotations.Nullable;

/** Lets whoever waits prolong the lease of the one it waits for. */
public final class WritingWaiterLedger extends PlainLedger {
    /** A broken handle on a store. */
    public WritingWaiterLedger(PlainStore store, LedgerContext context) {
        super(store, context);
    }

    @Override
    protected Step<Claim> claim(@Nullable Entry found, ClaimRequest request, Moment now) {
        Step<Claim> step = super.claim(found, request, now);
        return found != null && step.answer() instanceof Claim.InFlight
                ? Step.put(step.answer(), Edits.withLease(found, now.plus(request.lease())))
                : step;
    }
}
