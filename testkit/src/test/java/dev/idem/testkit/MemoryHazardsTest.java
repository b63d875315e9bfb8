package dev.idem.testkit;

import dev.idem.memory.MemoryLedger;

final class MemoryHazardsTest extends HazardContract {
    @Override
    protected LedgerFixture fixture() {
        return LedgerFixture.of(MemoryLedger::new);
    }
}
