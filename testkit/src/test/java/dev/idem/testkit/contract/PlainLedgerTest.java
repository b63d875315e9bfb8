package dev.idem.testkit.contract;

import dev.idem.testkit.LedgerFixture;
import dev.idem.testkit.broken.PlainLedger;
import dev.idem.testkit.broken.PlainStore;

/** The ledger that the broken ones come from is healthy, and has every capability: nothing is skipped. */
final class PlainLedgerTest extends LedgerContract {
    @Override
    protected LedgerFixture fixture() {
        PlainStore store = new PlainStore();
        return LedgerFixture.durable(context -> new PlainLedger(store, context));
    }
}
