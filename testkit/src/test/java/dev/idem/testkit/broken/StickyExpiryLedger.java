package dev.idem.testkit.broken;

import dev.idem.entry.Entry;
import dev.idem.entry.Moment;
import dev.idem.ledger.Claim;
import dev.idem.ledger.ClaimRequest;
import dev.idem.ledger.LedgerContext;
import dev.idem.ledger.Step;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Keeps the expiry of the failure when the key is granted again. */
public final class StickyExpiryLedger extends PlainLedger {
    /** A broken handle on a store. */
    public StickyExpiryLedger(PlainStore store, LedgerContext context) {
        super(store, context);
    }

    @Override
    protected Step<Claim> claim(@Nullable Entry found, ClaimRequest request, Moment now) {
        Step<Claim> step = super.claim(found, request, now);
        Entry put = step.put();
        return found == null || put == null
                ? step
                : Step.put(step.answer(), Edits.withExpiry(put, found.times().expires()));
    }

    @Override
    protected @Nullable Entry view(Entry entry, Moment now) {
        Instant expires = entry.times().expires();
        return expires != null && !now.wall().isBefore(expires) ? null : super.view(entry, now);
    }
}
