package dev.idem.benchmarks;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.sqlite.JDBC;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteOpenMode;

/**
 * The floor under the SQLite ledger: the simplest table of keys and results, through the same driver with the same
 * settings, one thread, statements prepared once.
 */
final class BareSqlite implements AutoCloseable {
    private final Connection connection;
    private final PreparedStatement begin;
    private final PreparedStatement commit;
    private final PreparedStatement insert;
    private final PreparedStatement update;
    private final PreparedStatement select;

    BareSqlite(Path file) throws SQLException {
        connection = connect(file);
        try (Statement statement = connection.createStatement()) {
            statement.executeUpdate(
                    "CREATE TABLE bare (key TEXT PRIMARY KEY, state TEXT NOT NULL, result BLOB) STRICT, WITHOUT ROWID");
        }
        leaveTransactionsAlone(connection);
        begin = connection.prepareStatement("BEGIN IMMEDIATE");
        commit = connection.prepareStatement("COMMIT");
        insert = connection.prepareStatement("INSERT INTO bare (key, state) VALUES (?, 'in_progress')");
        update = connection.prepareStatement("UPDATE bare SET state = 'complete', result = ? WHERE key = ?");
        select = connection.prepareStatement("SELECT state, result FROM bare WHERE key = ?");
    }

    /** A new file with the settings of the ledger. */
    static Connection connect(Path file) throws SQLException {
        SQLiteConfig config = new SQLiteConfig();
        config.setOpenMode(SQLiteOpenMode.NOMUTEX);
        config.setGetGeneratedKeys(false);
        Connection connection = JDBC.createConnection("jdbc:sqlite:" + file, config.toProperties());
        try (Statement statement = connection.createStatement()) {
            statement.executeUpdate("PRAGMA page_size = 2048; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;"
                    + " PRAGMA foreign_keys = ON; PRAGMA wal_autocheckpoint = 1000;"
                    + " PRAGMA journal_size_limit = 67108864; PRAGMA cache_size = -16384");
        }
        return connection;
    }

    /** By default the driver checks after every statement whether to end a transaction. */
    static void leaveTransactionsAlone(Connection connection) throws SQLException {
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
            statement.executeUpdate("COMMIT");
        }
    }

    /** One durable commit: the key is in progress. */
    void insert(String key) throws SQLException {
        insert(new String[] {key});
    }

    /** One durable commit for several keys. */
    void insert(String[] keys) throws SQLException {
        begin.executeUpdate();
        for (String key : keys) {
            insert.setString(1, key);
            insert.executeUpdate();
        }
        commit.executeUpdate();
    }

    /** Another durable commit: the key is complete. */
    void complete(String key, byte[] result) throws SQLException {
        begin.executeUpdate();
        update.setBytes(1, result);
        update.setString(2, key);
        update.executeUpdate();
        commit.executeUpdate();
    }

    /** One read. */
    byte[] result(String key) throws SQLException {
        select.setString(1, key);
        try (ResultSet rows = select.executeQuery()) {
            if (!rows.next()) {
                throw new IllegalStateException("the key " + key + " was never inserted");
            }
            return rows.getBytes(2);
        }
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
