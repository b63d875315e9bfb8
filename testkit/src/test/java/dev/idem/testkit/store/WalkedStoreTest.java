package dev.idem.testkit.store;

import dev.idem.spi.EntryStore;
import dev.idem.spi.LedgerContext;

class WalkedStoreTest extends StoreContract {
    @Override
    protected EntryStore open(LedgerContext context) {
        return new WalkedStore(new MapStore.Table(), context.clocks());
    }
}
