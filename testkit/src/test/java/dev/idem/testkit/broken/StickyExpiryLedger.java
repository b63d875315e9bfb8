package dev.idem.testkit.broken;

import dev.idem.Entry;
import dev.idem.internal.rules.Step;
import dev.idem.spi.Claim;
import dev.idem.spi.ClaimRequest;
import dev.idem.spi.LedgerContext;
import dev.idem.spi.Moment;
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
