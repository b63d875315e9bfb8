package dev.idem.testkit.hazard;

import dev.idem.seal.SealKeys;
import dev.idem.seal.SealedLedger;
import dev.idem.spi.store.MemoryLedger;
import dev.idem.testkit.LedgerFixture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The promises of Idem, on a sealed ledger. */
@Tag("proof")
@Execution(ExecutionMode.CONCURRENT)
final class SealedMemoryHazardsTest extends HazardContract {
    @Override
    protected LedgerFixture fixture() {
        SealKeys keys = SealKeys.of("test", new byte[32]);
        return LedgerFixture.of(context -> new SealedLedger(new MemoryLedger(context), keys));
    }
}
