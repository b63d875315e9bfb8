package dev.idem.torture.worker;

import dev.idem.Address;
import dev.idem.Entry;
import dev.idem.Idem;
import dev.idem.LedgerUnavailableException;
import dev.idem.Resolution;
import dev.idem.State;
import dev.idem.torture.check.Token;
import dev.idem.torture.world.WorldClient;

/** Somebody who finds out what became of an entry in doubt, and resolves it. */
record Person(Idem idem, WorldClient world) {

    void lookAt(Address address, String call) {
        try {
            Entry entry = idem.find(address).orElse(null);
            if (entry != null && entry.state() == State.IN_DOUBT) {
                resolve(entry, call);
            }
        } catch (LedgerUnavailableException e) {
            // Somebody else will look.
        }
    }

    /** The question goes under a fence of its own, above all that could still act: those will be refused. */
    private void resolve(Entry entry, String call) {
        Resolution resolution = idem.resolve(entry).by("a person").because("the world was asked");
        String token = world.probe(
                        call, entry.address().toString(), entry.fence().number() + 1)
                .orElse(null);
        // Where nothing is written, it was settled or taken over meanwhile, which is as good.
        if (token == null) {
            resolution.asFailed();
        } else {
            resolution.asComplete(Token.parse(token).value());
        }
    }
}
