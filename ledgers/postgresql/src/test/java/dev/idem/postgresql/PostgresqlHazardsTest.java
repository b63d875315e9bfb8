package dev.idem.postgresql;

import dev.idem.testkit.LedgerFixture;
import dev.idem.testkit.hazard.HazardContract;

/** The engine meets no hazard on the PostgreSQL ledger that it does not survive. */
class PostgresqlHazardsTest extends HazardContract {
    @Override
    protected LedgerFixture fixture() {
        return TestServer.shared().fixture(PostgresqlSettings.defaults());
    }
}
