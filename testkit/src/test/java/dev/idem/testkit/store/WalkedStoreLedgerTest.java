package dev.idem.testkit.store;

import dev.idem.spi.store.StoreLedger;
import dev.idem.testkit.LedgerFixture;
import dev.idem.testkit.contract.LedgerContract;
import org.junit.jupiter.api.Tag;

/** A ledger on a store that knows no order lists, counts and purges like any other. */
@Tag("proof")
class WalkedStoreLedgerTest extends LedgerContract {
    @Override
    protected LedgerFixture fixture() {
        MapStore.Table table = new MapStore.Table();
        return LedgerFixture.durable(
                context -> new StoreLedger(new WalkedStore(table, context.clocks()), context.processes()));
    }
}
