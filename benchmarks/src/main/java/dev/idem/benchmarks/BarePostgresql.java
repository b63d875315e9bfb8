package dev.idem.benchmarks;

import dev.idem.lab.PostgresqlByHand;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * The two floors under the PostgreSQL ledger, through one bare connection: hand-written, which sends the ledger's own
 * statements, and naive, the simplest table of keys and results.
 */
final class BarePostgresql implements AutoCloseable {
    private static final String OPERATION = "charge";

    private final Connection connection;
    private final PostgresqlByHand byHand = new PostgresqlByHand("idem");
    private final PreparedStatement insert;
    private final PreparedStatement update;
    private final PreparedStatement select;

    BarePostgresql(Connection connection) throws SQLException {
        this.connection = connection;
        try (Statement statement = connection.createStatement()) {
            statement.execute(
                    "CREATE TABLE IF NOT EXISTS naive (key text PRIMARY KEY, state text NOT NULL, result bytea)");
        }
        insert = connection.prepareStatement(
                "INSERT INTO naive (key, state) VALUES (?, 'in_progress') ON CONFLICT DO NOTHING");
        update = connection.prepareStatement("UPDATE naive SET state = 'complete', result = ? WHERE key = ?");
        select = connection.prepareStatement("SELECT state, result FROM naive WHERE key = ?");
    }

    /** Sends the ledger's own statements: a claim and a settle of a new key. */
    void first(String key, byte[] result) throws SQLException {
        byHand.settle(connection, OPERATION, key, byHand.claim(connection, OPERATION, key), result);
    }

    /** The ledger's own claim of a key that is complete. */
    void replay(String key) throws SQLException {
        byHand.claim(connection, OPERATION, key);
    }

    /** One durable commit: the key is in progress. */
    void insert(String key) throws SQLException {
        insert.setString(1, key);
        insert.executeUpdate();
    }

    /** Another durable commit: the key is complete. */
    void complete(String key, byte[] result) throws SQLException {
        update.setBytes(1, result);
        update.setString(2, key);
        update.executeUpdate();
    }

    /** One read. */
    byte[] result(String key) throws SQLException {
        select.setString(1, key);
        try (ResultSet row = select.executeQuery()) {
            if (!row.next()) {
                throw new IllegalStateException("the key " + key + " was never inserted");
            }
            return row.getBytes(2);
        }
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
