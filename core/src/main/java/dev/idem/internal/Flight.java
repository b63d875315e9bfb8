package dev.idem.internal;

import dev.idem.entry.Entry;
import dev.idem.entry.Fingerprints;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A call that is under way in this process, for its duplicates to share. */
final class Flight {
    private final Thread leader = Thread.currentThread();
    private final Fingerprints fingerprints;
    private final CountDownLatch landed = new CountDownLatch(1);
    private volatile @Nullable Entry entry;

    Flight(Fingerprints fingerprints) {
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
        landed.countDown();
    }

    /** The acknowledged entry; null when there is nothing to share, or not in time. */
    @Nullable
    Entry await(long nanos) throws InterruptedException {
        return landed.await(nanos, TimeUnit.NANOSECONDS) ? entry : null;
    }
}
