package dev.idem.testkit.broken;

import dev.idem.Address;
import dev.idem.Entry;
import dev.idem.internal.rules.Step;
import dev.idem.spi.LedgerContext;
import java.util.HashMap;
import java.util.Map;

/** Answers before a settle is safe: what was settled is gone when the ledger is opened again. */
public final class UnsyncedLedger extends PlainLedger {
    /** A broken handle on a store. */
    public UnsyncedLedger(PlainStore store, LedgerContext context) {
        super(store, context);
    }

    private final Map<Address, Entry> unsynced = new HashMap<>();

    @Override
    protected void write(Address address, Step<?> step) {
        Entry put = step.put();
        Entry before = store().get(address);
        if (put != null && before != null && put.settlement() != null) {
            unsynced.putIfAbsent(address, before);
        }
        super.write(address, step);
    }

    @Override
    public void close() {
        super.close();
        unsynced.forEach((address, before) -> super.write(address, Step.put(true, before)));
        unsynced.clear();
    }
}
