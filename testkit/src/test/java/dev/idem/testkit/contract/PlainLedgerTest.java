package dev.idem.testkit.contract;

import dev.idem.testkit.LedgerFixture;
import dev.idem.testkit.broken.PlainLedger;
import dev.idem.testkit.broken.PlainStore;
import org.junit.jupiter.api.Tag;

/** The ledger that the broken ones come from is healthy, and has every capability: nothing is skipped. */
@Tag("proof")
final class PlainLedgerTest extends LedgerContract {
    @Override
    protected LedgerFixture fixture() {
        PlainStore store = new PlainStore();
        return LedgerFixture.durable(context -> new PlainLedger(store, context));
    }
}
