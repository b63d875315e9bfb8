package dev.idem.testkit.contract;

import dev.idem.spi.store.MemoryLedger;
import dev.idem.testkit.LedgerFixture;

final class MemoryLedgerTest extends LedgerContract {
    @Override
    protected LedgerFixture fixture() {
        return LedgerFixture.of(MemoryLedger::new);
    }
}
