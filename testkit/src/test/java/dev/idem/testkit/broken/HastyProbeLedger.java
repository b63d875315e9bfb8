package dev.idem.testkit.broken;

import dev.idem.entry.Entry;
import dev.idem.entry.Moment;
import dev.idem.ledger.Claim;
import dev.idem.ledger.ClaimRequest;
import dev.idem.ledger.LedgerContext;
import dev.idem.ledger.Step;
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
