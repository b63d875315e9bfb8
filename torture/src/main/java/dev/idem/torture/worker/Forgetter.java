package dev.idem.torture.worker;

import dev.idem.Address;
import dev.idem.Entry;
import dev.idem.Idem;
import dev.idem.LedgerUnavailableException;
import dev.idem.State;
import dev.idem.torture.check.Line;
import dev.idem.torture.world.WorldClient;

/** Forgets an entry, whatever its state. */
record Forgetter(Idem idem, WorldClient world) {

    void lookAt(Address address, String call) {
        try {
            Entry entry = idem.find(address).orElse(null);
            if (entry != null) {
                long fence = entry.fence().number();
                world.say(new Line.Forgetting(call, address.toString(), fence));
                boolean done = idem.forget(entry);
                boolean knowing = entry.state() == State.COMPLETE;
                world.say(new Line.Forgot(call, address.toString(), fence, knowing, done));
            }
        } catch (LedgerUnavailableException e) {
            // It is unknown whether the entry was forgotten.
        }
    }
}
