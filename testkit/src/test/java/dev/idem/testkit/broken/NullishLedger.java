package dev.idem.testkit.broken;

import dev.idem.entry.Entry;
import dev.idem.entry.Moment;
import dev.idem.entry.Payload;
import dev.idem.entry.Settlement;
import dev.idem.entry.Ticket;
import dev.idem.ledger.LedgerContext;
import dev.idem.ledger.Settled;
import dev.idem.ledger.Step;
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
