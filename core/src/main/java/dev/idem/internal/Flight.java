package dev.idem.internal;

import dev.idem.Address;
import dev.idem.Entry;
import dev.idem.spi.Fingerprints;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A call that is under way in this process, for its duplicates to share. */
final class Flight {
    final Address address;
    final int seat;
    private final Thread leader = Thread.currentThread();
    private final Fingerprints fingerprints;
    /** Written before it has landed, and read only after that. */
    private @Nullable Entry entry;

    private volatile boolean landed;
    /** Made by the first who waits: most flights land without anybody waiting. */
    private volatile @Nullable CountDownLatch waiting;

    Flight(Address address, Fingerprints fingerprints) {
        this.address = address;
        this.seat = Flights.seatOf(address);
        this.fingerprints = fingerprints;
    }

    /** Whether a call with these fingerprints may wait here for this flight's result; its own thread would for ever. */
    boolean serves(Fingerprints others) {
        return leader != Thread.currentThread() && fingerprints.equals(others);
    }

    /**
     * Ends the flight.
     *
     * @param ended the entry as the ledger has acknowledged it; null when there is nothing to share
     */
    void land(@Nullable Entry ended) {
        entry = ended;
        landed = true;
        // Looked at after that: whoever waits looks at the two the other way round, so one of us sees the other.
        CountDownLatch latch = waiting;
        if (latch != null) {
            latch.countDown();
        }
    }

    /** The acknowledged entry; null when there is nothing to share, or not in time. */
    @Nullable
    Entry await(long nanos) throws InterruptedException {
        CountDownLatch latch = latch();
        return landed || latch.await(nanos, TimeUnit.NANOSECONDS) ? entry : null;
    }

    private synchronized CountDownLatch latch() {
        CountDownLatch latch = waiting;
        if (latch == null) {
            latch = new CountDownLatch(1);
            waiting = latch;
        }
        return latch;
    }
}
