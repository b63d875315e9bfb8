package dev.idem.testkit.store;

import dev.idem.spi.EntryStore;
import dev.idem.spi.LedgerContext;
import dev.idem.testkit.StoreContract;

class MapStoreTest extends StoreContract {
    @Override
    protected EntryStore open(LedgerContext context) {
        return new MapStore(new MapStore.Table(), context.clocks());
    }
}
