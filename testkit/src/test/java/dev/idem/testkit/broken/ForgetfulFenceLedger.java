package dev.idem.testkit.broken;

import dev.idem.Address;
import dev.idem.Entry;
import dev.idem.spi.Fence;
import dev.idem.spi.LedgerContext;

/** Counts fences in the entry, so that a forget starts them anew. */
public final class ForgetfulFenceLedger extends PlainLedger {
    /** A broken handle on a store. */
    public ForgetfulFenceLedger(PlainStore store, LedgerContext context) {
        super(store, context);
    }

    @Override
    protected Fence nextFence(Address address) {
        Entry found = store().get(address);
        return new Fence(found == null ? 1 : found.fence().number() + 1);
    }
}
