package dev.idem.testkit.broken;

import dev.idem.entry.AttemptId;
import dev.idem.entry.Entry;
import dev.idem.entry.Moment;
import dev.idem.ledger.Claim;
import dev.idem.ledger.ClaimRequest;
import dev.idem.ledger.LedgerContext;
import dev.idem.ledger.Step;
import org.jspecify.annotations.Nullable;

/** Does not know its own attempts again: a claim whose answer was lost is busy with itself. */
public final class AmnesicLedger extends PlainLedger {
    /** A broken handle on a store. */
    public AmnesicLedger(PlainStore store, LedgerContext context) {
        super(store, context);
    }

    @Override
    protected Step<Claim> claim(@Nullable Entry found, ClaimRequest request, Moment now) {
        return super.claim(found == null ? null : Edits.withAttemptId(found, new AttemptId(0, 0)), request, now);
    }
}
