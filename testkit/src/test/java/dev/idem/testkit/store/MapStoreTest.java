package dev.idem.testkit.store;

import dev.idem.spi.EntryStore;
import dev.idem.spi.LedgerContext;

class MapStoreTest extends StoreContract {
    @Override
    protected EntryStore open(LedgerContext context) {
        return new MapStore(new MapStore.Table(), context.clocks());
    }
}
