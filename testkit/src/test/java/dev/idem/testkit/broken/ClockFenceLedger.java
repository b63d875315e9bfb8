package dev.idem.testkit.broken;

import dev.idem.Address;
import dev.idem.spi.Fence;
import dev.idem.spi.LedgerContext;
import java.time.Instant;

/** Takes the wall clock for a fence, which steps back with it. */
public final class ClockFenceLedger extends PlainLedger {
    /** A broken handle on a store. */
    public ClockFenceLedger(PlainStore store, LedgerContext context) {
        super(store, context);
    }

    @Override
    protected Fence nextFence(Address address) {
        Instant wall = now().wall();
        return new Fence(wall.getEpochSecond() * 1_000_000_000L
                + wall.getNano()
                + store().nextFence().number());
    }
}
