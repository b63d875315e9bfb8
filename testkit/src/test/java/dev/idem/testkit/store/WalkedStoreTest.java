package dev.idem.testkit.store;

import dev.idem.ledger.LedgerContext;
import dev.idem.spi.EntryStore;
import dev.idem.testkit.StoreContract;

class WalkedStoreTest extends StoreContract {
    @Override
    protected EntryStore open(LedgerContext context) {
        return new WalkedStore(new MapStore.Table(), context.clocks());
    }
}
