package dev.idem.sqlite;

import dev.idem.ledger.Claim;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Whether to expect duplicates. Looking before a claim spares a duplicate the write lock and costs a new key a read; so
 * after a run of new keys claims go straight to the lock, until one of them turns out to be a duplicate.
 */
final class Expectation {
    private static final int LONG_RUN = 8;

    private final AtomicInteger newOnes = new AtomicInteger();

    boolean readFirst() {
        return newOnes.get() < LONG_RUN;
    }

    void saw(Claim claim) {
        if (!(claim instanceof Claim.Granted)) {
            newOnes.set(0);
        } else if (newOnes.get() < LONG_RUN) {
            newOnes.incrementAndGet();
        }
    }
}
