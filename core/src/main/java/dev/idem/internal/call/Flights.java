package dev.idem.internal.call;

import dev.idem.Address;
import dev.idem.Entry;
import dev.idem.Repeat;
import dev.idem.spi.Fingerprints;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
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

    /** A call that runs in this process. Duplicates wait for it and share its entry. */
    static final class Flight {
        private final Address address;
        private final Thread leader = Thread.currentThread();
        private final Fingerprints fingerprints;
        private final Repeat repeat;
        private final CountDownLatch landed = new CountDownLatch(1);
        /** Written before the latch opens and read after it has opened. */
        private @Nullable Entry entry;

        Flight(Address address, Fingerprints fingerprints, Repeat repeat) {
            this.address = address;
            this.fingerprints = fingerprints;
            this.repeat = repeat;
        }

        /**
         * Whether a call with these fingerprints may wait for this flight. The owner itself would wait for ever. A call
         * that runs over a complete entry can't wait for one that may replay it.
         */
        boolean serves(Fingerprints others, Repeat wanted) {
            return leader != Thread.currentThread()
                    && fingerprints.equals(others)
                    && (wanted == Repeat.REPLAY || repeat == Repeat.RUN);
        }

        /**
         * Ends the flight.
         *
         * @param ended the entry as the ledger has acknowledged it; null when there is nothing to share
         */
        void land(@Nullable Entry ended) {
            entry = ended;
            landed.countDown();
        }

        /** Waits for the end and returns the acknowledged entry; null if there is none, or the time is over. */
        @Nullable
        Entry await(long nanos) throws InterruptedException {
            return landed.await(nanos, TimeUnit.NANOSECONDS) ? entry : null;
        }
    }
}
