package dev.idem.agent.ensure;

import dev.idem.spi.store.MemoryLedger;
import dev.idem.testkit.LedgerFixture;

class EnsureOnMemoryTest extends EnsureContract {
    @Override
    protected LedgerFixture fixture() {
        return LedgerFixture.of(MemoryLedger::new);
    }
}
