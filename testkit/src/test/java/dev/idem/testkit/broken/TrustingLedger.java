package dev.idem.testkit.broken;

import dev.idem.Entry;
import dev.idem.internal.rules.Step;
import dev.idem.spi.Claim;
import dev.idem.spi.ClaimRequest;
import dev.idem.spi.Fingerprints;
import dev.idem.spi.LedgerContext;
import dev.idem.spi.Moment;
import org.jspecify.annotations.Nullable;

/** Compares no fingerprints: a key used for something else is answered with the first result. */
public final class TrustingLedger extends PlainLedger {
    /** A broken handle on a store. */
    public TrustingLedger(PlainStore store, LedgerContext context) {
        super(store, context);
    }

    @Override
    protected Step<Claim> claim(@Nullable Entry found, ClaimRequest request, Moment now) {
        return super.claim(found == null ? null : Edits.withFingerprints(found, Fingerprints.NONE), request, now);
    }
}
