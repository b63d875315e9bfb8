package dev.idem.testkit.broken;

import dev.idem.Entry;
import dev.idem.internal.rules.Step;
import dev.idem.spi.LedgerContext;
import dev.idem.spi.Moment;
import dev.idem.spi.Payload;
import dev.idem.spi.Settled;
import dev.idem.spi.Settlement;
import dev.idem.spi.Ticket;
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
