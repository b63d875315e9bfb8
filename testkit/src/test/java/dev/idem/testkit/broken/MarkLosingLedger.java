package dev.idem.testkit.broken;

import dev.idem.Entry;
import dev.idem.internal.rules.Step;
import dev.idem.spi.Claim;
import dev.idem.spi.ClaimRequest;
import dev.idem.spi.LedgerContext;
import dev.idem.spi.Moment;
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
