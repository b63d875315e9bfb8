package dev.idem.testkit.broken;

import dev.idem.spi.LedgerContext;
import dev.idem.spi.Moment;

/** Judges leases by the wall clock, which somebody may step. */
public final class WallClockLedger extends PlainLedger {
    /** A broken handle on a store. */
    public WallClockLedger(PlainStore store, LedgerContext context) {
        super(
                store,
                new LedgerContext(() -> Moment.ofWall(context.clocks().now().wall()), context.processes()));
    }
}
