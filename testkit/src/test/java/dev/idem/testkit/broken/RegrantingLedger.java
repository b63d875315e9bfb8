package dev.idem.testkit.broken;

import dev.idem.entry.Entry;
import dev.idem.entry.Moment;
import dev.idem.entry.State;
import dev.idem.ledger.Claim;
import dev.idem.ledger.ClaimRequest;
import dev.idem.ledger.LedgerContext;
import dev.idem.ledger.Step;
import dev.idem.ledger.TakeOver;
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
