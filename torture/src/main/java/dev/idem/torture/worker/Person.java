package dev.idem.torture.worker;

import dev.idem.Idem;
import dev.idem.entry.Address;
import dev.idem.entry.Effect;
import dev.idem.entry.Entry;
import dev.idem.entry.Payload;
import dev.idem.entry.Result;
import dev.idem.entry.Retention;
import dev.idem.entry.Settlement;
import dev.idem.entry.State;
import dev.idem.error.LedgerUnavailableException;
import dev.idem.torture.check.Token;
import dev.idem.torture.world.WorldClient;
import java.nio.charset.StandardCharsets;

/** Somebody who finds out what became of an entry in doubt, and resolves it. */
record Person(Idem idem, WorldClient world) {

    void lookAt(Address address, String call) {
        try {
            Entry entry = idem.find(address).orElse(null);
            if (entry != null && entry.state() == State.IN_DOUBT) {
                idem.resolve(address, entry.fence(), found(entry, call));
            }
        } catch (LedgerUnavailableException e) {
            // Somebody else will look.
        }
    }

    /** The question goes under a fence of its own, above all that could still act: those will be refused. */
    private Settlement found(Entry entry, String call) {
        long fence = entry.fence().number() + 1;
        return world.probe(call, entry.address().toString(), fence)
                .<Settlement>map(token -> new Settlement.Completed(stored(token), Effect.CREATED, Retention.DEFAULT))
                .orElseGet(() -> new Settlement.NotExecuted("a person found nothing", Retention.DEFAULT));
    }

    private static Result stored(String token) {
        byte[] text = Token.parse(token).value().getBytes(StandardCharsets.UTF_8);
        return new Result.Stored(Payload.of(text, "text/plain;charset=utf-8", "text"));
    }
}
