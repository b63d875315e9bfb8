package dev.idem.testkit.hazard;

import dev.idem.spi.store.MemoryLedger;
import dev.idem.testkit.LedgerFixture;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** At once: most of them wait most of the time. */
@Execution(ExecutionMode.CONCURRENT)
final class MemoryHazardsTest extends HazardContract {
    @Override
    protected LedgerFixture fixture() {
        return LedgerFixture.of(MemoryLedger::new);
    }
}
