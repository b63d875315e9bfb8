package dev.idem.postgresql;

import dev.idem.sql.Expectation;
import dev.idem.testkit.LedgerContract;
import dev.idem.testkit.LedgerFixture;

/** The same promises where every claim expects a new key, and writes before it looks. */
class NewKeysContractTest extends LedgerContract {
    @Override
    protected LedgerFixture fixture() {
        return TestServer.shared().fixture(PostgresqlSettings.defaults(), Expectation::ofNewKeys);
    }
}
