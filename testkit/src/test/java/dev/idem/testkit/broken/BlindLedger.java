package dev.idem.testkit.broken;

import dev.idem.spi.LedgerContext;
import dev.idem.spi.Processes;

/** Asks nobody who is alive: a dead owner holds its key, a living child does not. */
public final class BlindLedger extends PlainLedger {
    /** A broken handle on a store. */
    public BlindLedger(PlainStore store, LedgerContext context) {
        super(store, new LedgerContext(context.clocks(), Processes.unknown()));
    }
}
