package dev.idem.postgresql;

import dev.idem.testkit.LedgerFixture;
import dev.idem.testkit.contract.LedgerContract;

/** The PostgreSQL ledger keeps every promise a ledger makes. */
class PostgresqlContractTest extends LedgerContract {
    @Override
    protected LedgerFixture fixture() {
        return TestServer.shared().fixture(PostgresqlSettings.defaults());
    }
}
