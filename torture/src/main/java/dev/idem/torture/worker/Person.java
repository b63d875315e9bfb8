package dev.idem.torture.worker;

import dev.idem.Address;
import dev.idem.Entry;
import dev.idem.Idem;
import dev.idem.LedgerUnavailableException;
import dev.idem.Resolution;
import dev.idem.State;
import dev.idem.torture.check.Token;
import dev.idem.torture.world.WorldClient;

/** A person who finds out the outcome of an entry in doubt, and resolves it. */
record Person(Idem idem, WorldClient world) {

    void lookAt(Address address, String call) {
        try {
            Entry entry = idem.find(address).orElse(null);
            if (entry != null && entry.state() == State.IN_DOUBT) {
                resolve(entry, call);
            }
        } catch (LedgerUnavailableException e) {
            // A later check will resolve it.
        }
    }

    /** Asks with its own fence, above all that could still act: the world will refuse those. */
    private void resolve(Entry entry, String call) {
        Resolution resolution = idem.resolve(entry).by("a person").because("the world was asked");
        String token = world.probe(
                        call, entry.address().toString(), entry.fence().number() + 1)
                .orElse(null);
        // If nothing is written, the entry was settled or taken over meanwhile, which is fine.
        if (token == null) {
            resolution.asFailed();
        } else {
            resolution.asComplete(Token.parse(token).value());
        }
    }
}
