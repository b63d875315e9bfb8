package dev.idem.testkit.store;

import dev.idem.spi.store.StoreLedger;
import dev.idem.testkit.LedgerFixture;
import dev.idem.testkit.contract.LedgerContract;

class StoreLedgerTest extends LedgerContract {
    @Override
    protected LedgerFixture fixture() {
        MapStore.Table table = new MapStore.Table();
        return LedgerFixture.durable(
                context -> new StoreLedger(new MapStore(table, context.clocks()), context.processes()));
    }
}
