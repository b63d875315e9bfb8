package dev.idem.testkit.contract;

import dev.idem.seal.SealKeys;
import dev.idem.seal.SealedLedger;
import dev.idem.spi.store.MemoryLedger;
import dev.idem.testkit.LedgerFixture;

/** The promises of a ledger that is sealed. */
final class SealedMemoryLedgerTest extends LedgerContract {
    @Override
    protected LedgerFixture fixture() {
        SealKeys keys = SealKeys.of("test", new byte[32]);
        return LedgerFixture.of(context -> new SealedLedger(new MemoryLedger(context), keys));
    }
}
