package dev.idem.postgresql;

import dev.idem.testkit.LedgerFixture;
import dev.idem.testkit.transaction.TransactionContract;

/** The PostgreSQL ledger keeps what a ledger in a database promises of transactions. */
class PostgresqlTransactionContractTest extends TransactionContract {
    @Override
    protected LedgerFixture fixture() {
        TestServer.shared().execute("DROP TABLE IF EXISTS orders");
        return TestServer.shared().fixture(PostgresqlSettings.defaults());
    }
}
