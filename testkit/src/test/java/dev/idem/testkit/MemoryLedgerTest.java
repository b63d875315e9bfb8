package dev.idem.testkit;

import dev.idem.spi.store.MemoryLedger;

final class MemoryLedgerTest extends LedgerContract {
    @Override
    protected LedgerFixture fixture() {
        return LedgerFixture.of(MemoryLedger::new);
    }
}
