package dev.idem.testkit.broken;

import dev.idem.entry.Entry;
import dev.idem.entry.Moment;
import dev.idem.entry.Payload;
import dev.idem.entry.Settlement;
import dev.idem.entry.Ticket;
import dev.idem.ledger.LedgerContext;
import dev.idem.ledger.Settled;
import dev.idem.ledger.Step;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Keeps the first 64 KiB of a result. */
public final class TruncatingLedger extends PlainLedger {
    /** A broken handle on a store. */
    public TruncatingLedger(PlainStore store, LedgerContext context) {
        super(store, context);
    }

    private static final int MOST = 64 * 1024;

    @Override
    protected Step<Settled> settle(@Nullable Entry found, Ticket ticket, Settlement how, Moment now) {
        return super.settle(found, ticket, Edits.withPayload(how, TruncatingLedger::truncated), now);
    }

    private static Payload truncated(Payload payload) {
        byte[] bytes = Arrays.copyOf(payload.bytes(), Math.min(payload.bytes().length, MOST));
        return new Payload(bytes, payload.mediaType(), payload.codec(), payload.encoding());
    }
}
