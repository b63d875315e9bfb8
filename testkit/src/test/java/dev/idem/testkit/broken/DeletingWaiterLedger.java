package dev.idem.testkit.broken;

import dev.idem.Entry;
import dev.idem.internal.rules.Step;
import dev.idem.spi.Claim;
import dev.idem.spi.ClaimRequest;
import dev.idem.spi.LedgerContext;
import dev.idem.spi.Moment;
import org.jspecify.annotations.Nullable;

/** Lets whoever waited too long delete the key of the one it waited for. */
public final class DeletingWaiterLedger extends PlainLedger {
    /** A broken handle on a store. */
    public DeletingWaiterLedger(PlainStore store, LedgerContext context) {
        super(store, context);
    }

    @Override
    protected Step<Claim> claim(@Nullable Entry found, ClaimRequest request, Moment now) {
        Step<Claim> step = super.claim(found, request, now);
        return step.answer() instanceof Claim.InDoubt ? new Step<>(step.answer(), null, true) : step;
    }
}
