package dev.idem.jsonl;

import dev.idem.spi.ForwardingLedger;
import dev.idem.spi.LedgerContext;
import dev.idem.spi.browse.Browsable;
import dev.idem.spi.store.StoreLedger;

/** A JSONL ledger whose file the tests can look at. */
final class TestLedger extends ForwardingLedger {
    private final JsonlStore store;

    private TestLedger(JsonlStore store, LedgerContext context) {
        super(new StoreLedger(store, context.processes()));
        this.store = store;
    }

    static TestLedger on(JsonlStore store, LedgerContext context) {
        return new TestLedger(store, context);
    }

    JsonlStore store() {
        return store;
    }

    LedgerFile file() {
        return store.file();
    }

    Browsable browsable() {
        return as(Browsable.class).orElseThrow();
    }

    /** Writes down the replays that were counted in memory only. */
    void writeReplays() {
        browsable().stats();
    }

    @Override
    public String describe() {
        return inner.describe();
    }
}
