package dev.idem.testkit.broken;

import dev.idem.entry.Entry;
import dev.idem.entry.Moment;
import dev.idem.ledger.Claim;
import dev.idem.ledger.ClaimRequest;
import dev.idem.ledger.LedgerContext;
import dev.idem.ledger.Step;
import org.jspecify.annotations.Nullable;

/** Drops the marks of the doubted attempt when it is taken over. */
public final class MarkLosingLedger extends PlainLedger {
    /** A broken handle on a store. */
    public MarkLosingLedger(PlainStore store, LedgerContext context) {
        super(store, context);
    }

    @Override
    protected Step<Claim> claim(@Nullable Entry found, ClaimRequest request, Moment now) {
        Step<Claim> step = super.claim(found, request, now);
        Entry put = step.put();
        if (put == null || !(step.answer() instanceof Claim.Granted)) {
            return step;
        }
        Entry bare = Edits.withoutMarks(put);
        return Step.put(new Claim.Granted(bare), bare);
    }
}
