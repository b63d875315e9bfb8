package dev.idem.postgresql;

import dev.idem.testkit.JoinContract;
import dev.idem.testkit.LedgerFixture;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;

/** Entries in transactions of an application that keeps its rows in the database of the ledger. */
class PostgresqlJoinTest extends JoinContract {
    private final TestServer server = TestServer.shared();

    @Override
    protected LedgerFixture fixture() {
        server.execute("DROP TABLE IF EXISTS orders");
        return server.fixture(PostgresqlSettings.defaults().withLockTimeout(Duration.ofMillis(20)));
    }

    @Override
    protected Connection connect() throws SQLException {
        return DriverManager.getConnection("jdbc:postgresql://127.0.0.1:" + server.port() + "/postgres?user=postgres");
    }
}
