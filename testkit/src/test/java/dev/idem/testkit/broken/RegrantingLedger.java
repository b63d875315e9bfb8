package dev.idem.testkit.broken;

import dev.idem.Entry;
import dev.idem.State;
import dev.idem.internal.rules.Step;
import dev.idem.spi.Claim;
import dev.idem.spi.ClaimRequest;
import dev.idem.spi.LedgerContext;
import dev.idem.spi.Moment;
import dev.idem.spi.TakeOver;
import org.jspecify.annotations.Nullable;

/** Takes a lapsed lease for a failure, and simply grants the key again. */
public final class RegrantingLedger extends PlainLedger {
    /** A broken handle on a store. */
    public RegrantingLedger(PlainStore store, LedgerContext context) {
        super(store, context);
    }

    @Override
    protected Step<Claim> claim(@Nullable Entry found, ClaimRequest request, Moment now) {
        Step<Claim> step = super.claim(found, request, now);
        boolean lapsed = found != null && found.state() == State.IN_PROGRESS;
        return lapsed && step.answer() instanceof Claim.InDoubt
                ? super.claim(found, request.withTakeOver(TakeOver.RERUN), now)
                : step;
    }
}
