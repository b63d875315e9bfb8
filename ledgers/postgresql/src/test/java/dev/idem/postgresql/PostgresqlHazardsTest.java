package dev.idem.postgresql;

import dev.idem.testkit.HazardContract;
import dev.idem.testkit.LedgerFixture;

/** The engine meets no hazard on the PostgreSQL ledger that it does not survive. */
class PostgresqlHazardsTest extends HazardContract {
    @Override
    protected LedgerFixture fixture() {
        return TestServer.shared().fixture(PostgresqlSettings.defaults());
    }
}
