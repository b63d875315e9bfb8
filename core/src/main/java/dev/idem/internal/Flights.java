package dev.idem.internal;

import dev.idem.Address;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The calls that run in this process, by address, so that duplicates can wait for them without asking the ledger. This
 * only saves work: two calls that miss each other here both ask the ledger, which decides.
 */
final class Flights {
    private final ConcurrentHashMap<Address, Flight> flights = new ConcurrentHashMap<>();

    /** The running flight of this address; null if there was none, then the given one is registered. */
    @Nullable
    Flight join(Flight mine) {
        return flights.putIfAbsent(mine.address, mine);
    }

    /** Removes the flight if it is registered. */
    void leave(Flight mine) {
        flights.remove(mine.address, mine);
    }
}
