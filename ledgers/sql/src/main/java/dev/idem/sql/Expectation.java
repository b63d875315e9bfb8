package dev.idem.sql;

import dev.idem.ledger.Claim;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Whether to expect duplicates. To look before a claim makes a duplicate cheap and costs a new key a read; so after a
 * run of new keys claims write at once, until one of them turns out to be a duplicate. It never decides what is answered.
 */
public final class Expectation {
    private static final int LONG_RUN = 8;

    private final int longRun;
    private final AtomicInteger newOnes = new AtomicInteger();

    /** Expects duplicates at first. */
    public Expectation() {
        this(LONG_RUN);
    }

    private Expectation(int longRun) {
        this.longRun = longRun;
    }

    /** One that expects new keys, whatever it sees. */
    public static Expectation ofNewKeys() {
        return new Expectation(0);
    }

    /** Whether a claim should look first. */
    public boolean readFirst() {
        return newOnes.get() < longRun;
    }

    /** Learns from how a claim was answered. */
    public void saw(Claim claim) {
        if (!(claim instanceof Claim.Granted)) {
            newOnes.set(0);
        } else if (newOnes.get() < longRun) {
            newOnes.incrementAndGet();
        }
    }
}
