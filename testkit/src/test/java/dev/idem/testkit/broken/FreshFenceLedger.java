package dev.idem.testkit.broken;

import dev.idem.Address;
import dev.idem.spi.Fence;
import dev.idem.spi.LedgerContext;

/** Counts fences in the handle, so that opening the ledger again starts them anew. */
public final class FreshFenceLedger extends PlainLedger {
    /** A broken handle on a store. */
    public FreshFenceLedger(PlainStore store, LedgerContext context) {
        super(store, context);
    }

    private long highest;

    @Override
    protected Fence nextFence(Address address) {
        highest++;
        return new Fence(highest);
    }
}
