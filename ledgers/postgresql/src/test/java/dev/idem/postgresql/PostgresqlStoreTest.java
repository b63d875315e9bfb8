package dev.idem.postgresql;

import dev.idem.spi.EntryStore;
import dev.idem.spi.LedgerContext;
import dev.idem.testkit.SettableClocks;
import dev.idem.testkit.store.StoreContract;

/** The table of entries does by itself what a store has to. */
class PostgresqlStoreTest extends StoreContract {
    /** Set by {@link #clocks()}, which the contract calls first. */
    private PostgresqlSettings settings;

    @Override
    protected EntryStore open(LedgerContext context) {
        return TestServer.shared().store(settings);
    }

    @Override
    protected SettableClocks clocks() {
        settings = TestServer.shared().emptied(PostgresqlSettings.defaults());
        return SettableClocks.wallOnly().followedBy(now -> TestServer.shared().set(settings.schema(), now));
    }
}
