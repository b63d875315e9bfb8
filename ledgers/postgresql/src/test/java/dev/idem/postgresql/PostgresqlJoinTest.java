package dev.idem.postgresql;

import dev.idem.testkit.LedgerFixture;
import dev.idem.testkit.transaction.JoinContract;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
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
        Connection connection =
                DriverManager.getConnection("jdbc:postgresql://127.0.0.1:" + server.port() + "/postgres?user=postgres");
        try (Statement statement = connection.createStatement()) {
            // The settings of an application are its own.
            statement.execute("SET TIME ZONE 'Asia/Kathmandu'");
        }
        return connection;
    }
}
