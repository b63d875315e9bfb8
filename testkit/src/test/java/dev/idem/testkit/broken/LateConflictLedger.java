package dev.idem.testkit.broken;

import dev.idem.Entry;
import dev.idem.State;
import dev.idem.internal.rules.Step;
import dev.idem.spi.Claim;
import dev.idem.spi.ClaimRequest;
import dev.idem.spi.LedgerContext;
import dev.idem.spi.Moment;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Says "in flight" before it compares fingerprints: the conflict shows only when it is too late. */
public final class LateConflictLedger extends PlainLedger {
    /** A broken handle on a store. */
    public LateConflictLedger(PlainStore store, LedgerContext context) {
        super(store, context);
    }

    @Override
    protected Step<Claim> claim(@Nullable Entry found, ClaimRequest request, Moment now) {
        Step<Claim> step = super.claim(found, request, now);
        boolean running = found != null && step.answer().entry().state() == State.IN_PROGRESS;
        return running && step.answer() instanceof Claim.Conflict conflict
                ? Step.keep(new Claim.InFlight(conflict.entry(), Duration.ofSeconds(1)))
                : step;
    }
}
