package dev.idem.internal;

import dev.idem.Address;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The calls that are under way in this process. To share one is a courtesy: two flights of one address that do not see
 * each other both ask the ledger, which decides.
 *
 * <p>Every call passes through here, and few at a time. So each has a seat by its address, to be taken by one swap and
 * left by one write; whoever finds it taken by another address stands in the aisle.
 */
final class Flights {
    private static final int SEATS = 256;

    private final AtomicReferenceArray<@Nullable Flight> seats = new AtomicReferenceArray<>(SEATS);
    private final ConcurrentHashMap<Address, Flight> aisle = new ConcurrentHashMap<>();

    /** The flight of this address that is under way already; null when it is the given one from now on. */
    @Nullable
    Flight join(Flight mine) {
        Flight there = seats.get(mine.seat);
        if (there == null) {
            Flight standing = aisle.isEmpty() ? null : aisle.get(mine.address);
            if (standing != null) {
                return standing;
            }
            there = seats.compareAndExchange(mine.seat, null, mine);
            if (there == null) {
                return null;
            }
        }
        return there.address.equals(mine.address) ? there : aisle.putIfAbsent(mine.address, mine);
    }

    /** The flight is over, or never was one. */
    void leave(Flight mine) {
        if (seats.get(mine.seat) == mine) {
            seats.setRelease(mine.seat, null);
        } else {
            aisle.remove(mine.address, mine);
        }
    }

    static int seatOf(Address address) {
        int hash = address.hashCode();
        return (hash ^ (hash >>> 8) ^ (hash >>> 16)) & (SEATS - 1);
    }
}
