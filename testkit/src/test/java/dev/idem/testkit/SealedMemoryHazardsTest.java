package dev.idem.testkit;

import dev.idem.memory.MemoryLedger;
import dev.idem.seal.SealKeys;
import dev.idem.seal.SealedLedger;

/** What Idem promises on a ledger it still promises on a sealed one. */
final class SealedMemoryHazardsTest extends HazardContract {
    @Override
    protected LedgerFixture fixture() {
        SealKeys keys = SealKeys.of("test", new byte[32]);
        return LedgerFixture.of(context -> new SealedLedger(new MemoryLedger(context), keys));
    }
}
