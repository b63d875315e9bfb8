package dev.idem.testkit.broken;

import dev.idem.Entry;
import dev.idem.internal.rules.Step;
import dev.idem.spi.AttemptId;
import dev.idem.spi.Claim;
import dev.idem.spi.ClaimRequest;
import dev.idem.spi.LedgerContext;
import dev.idem.spi.Moment;
import org.jspecify.annotations.Nullable;

/** Takes a delayed copy of a claim for a new one. */
public final class RepeatingLedger extends PlainLedger {
    private long claims;

    /** A broken handle on a store. */
    public RepeatingLedger(PlainStore store, LedgerContext context) {
        super(store, context);
    }

    @Override
    protected Step<Claim> claim(@Nullable Entry found, ClaimRequest request, Moment now) {
        claims++;
        return super.claim(found, request.withAttemptId(new AttemptId(claims, claims)), now);
    }
}
