package dev.idem.testkit.model;

import dev.idem.spi.store.MemoryLedger;
import dev.idem.testkit.LedgerFixture;
import dev.idem.testkit.broken.PlainLedger;
import dev.idem.testkit.broken.PlainStore;
import org.junit.jupiter.api.Test;

/** Thousands of random schedules; the contract runs a few of them on every ledger. */
final class ModelTest {
    @Test
    void theMemoryLedgerAgreesWithTheModel() {
        new RandomSchedules(() -> LedgerFixture.of(MemoryLedger::new)).run(3_000, 100);
    }

    @Test
    void thePlainLedgerAgreesWithTheModel() {
        new RandomSchedules(() -> {
                    PlainStore store = new PlainStore();
                    return LedgerFixture.durable(context -> new PlainLedger(store, context));
                })
                .run(1_000, 100);
    }
}
