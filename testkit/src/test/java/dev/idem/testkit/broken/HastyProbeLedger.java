package dev.idem.testkit.broken;

import dev.idem.Entry;
import dev.idem.internal.rules.Step;
import dev.idem.spi.Claim;
import dev.idem.spi.ClaimRequest;
import dev.idem.spi.LedgerContext;
import dev.idem.spi.Moment;
import org.jspecify.annotations.Nullable;

/** Lets a probe be asked while the doubted attempt may still act. */
public final class HastyProbeLedger extends PlainLedger {
    /** A broken handle on a store. */
    public HastyProbeLedger(PlainStore store, LedgerContext context) {
        super(store, context);
    }

    @Override
    protected Step<Claim> claim(@Nullable Entry found, ClaimRequest request, Moment now) {
        return super.claim(found == null ? null : Edits.withLimit(found, now), request, now);
    }
}
