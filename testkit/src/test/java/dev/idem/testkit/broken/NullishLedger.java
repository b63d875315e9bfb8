package dev.idem.testkit.broken;

import dev.idem.Entry;
import dev.idem.internal.rules.Step;
import dev.idem.spi.LedgerContext;
import dev.idem.spi.Moment;
import dev.idem.spi.Payload;
import dev.idem.spi.Settled;
import dev.idem.spi.Settlement;
import dev.idem.spi.Ticket;
import org.jspecify.annotations.Nullable;

/** Takes an empty result for none, and writes the word "null". */
public final class NullishLedger extends PlainLedger {
    /** A broken handle on a store. */
    public NullishLedger(PlainStore store, LedgerContext context) {
        super(store, context);
    }

    @Override
    protected Step<Settled> settle(@Nullable Entry found, Ticket ticket, Settlement how, Moment now) {
        return super.settle(found, ticket, Edits.withPayload(how, NullishLedger::nullish), now);
    }

    private static Payload nullish(Payload payload) {
        byte[] none = {'n', 'u', 'l', 'l'};
        return payload.bytes().length == 0
                ? new Payload(none, payload.mediaType(), payload.codec(), payload.encoding())
                : payload;
    }
}
