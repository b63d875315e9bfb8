package dev.idem.testkit.broken;

import dev.idem.entry.Entry;
import dev.idem.entry.Fingerprints;
import dev.idem.entry.Moment;
import dev.idem.ledger.Claim;
import dev.idem.ledger.ClaimRequest;
import dev.idem.ledger.LedgerContext;
import dev.idem.ledger.Step;
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
