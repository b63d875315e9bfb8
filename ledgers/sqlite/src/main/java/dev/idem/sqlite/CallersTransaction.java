package dev.idem.sqlite;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;
import org.sqlite.JDBC;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteConnection;

/** A transaction that the caller of a ledger has begun and will end, on a connection of its own. */
record CallersTransaction(Connection connection, Path ledger) {
    /** Other writers hold the lock for a shorter time. A transaction that this thread is in holds it until it ends. */
    private static final int LOCKED_MILLIS = 250;

    /** Throws {@link IllegalArgumentException} when entries can't be written in this transaction. */
    void requireFit() throws SQLException {
        if (!isInLedger()) {
            throw new IllegalArgumentException(
                    "the ledger is in " + ledger + ", and the transaction is on another database");
        }
        if (connection.getAutoCommit()) {
            throw new IllegalArgumentException("the connection of the transaction commits every statement by itself");
        }
    }

    /** Whether it has written to the file of the ledger, so that no other connection can. */
    boolean blocksLedger() throws SQLException {
        return isInLedger() && !connection.getAutoCommit() && isLocked();
    }

    private boolean isInLedger() throws SQLException {
        if (!connection.isWrapperFor(SQLiteConnection.class)) {
            return false;
        }
        // Not a SELECT, which would fix the moment that the transaction sees: a later write would then fail.
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("PRAGMA database_list")) {
            boolean found = false;
            while (row.next()) {
                String file = row.getString("file");
                found |= row.getString("name").equals("main")
                        && file != null
                        && !file.isEmpty()
                        && Files.isSameFile(Path.of(file), ledger);
            }
            return found;
        } catch (IOException e) {
            // A file that is gone is not the ledger's.
            return false;
        }
    }

    private boolean isLocked() throws SQLException {
        SQLiteConfig config = new SQLiteConfig();
        config.setBusyTimeout(LOCKED_MILLIS);
        Properties settings = config.toProperties();
        try (Connection other = JDBC.createConnection("jdbc:sqlite:" + ledger, settings);
                Statement statement = other.createStatement()) {
            statement.execute("BEGIN IMMEDIATE");
            statement.execute("ROLLBACK");
            return false;
        } catch (SQLException e) {
            if (SqliteErrors.isBusy(e)) {
                return canWrite();
            }
            throw e;
        }
    }

    /** Whether it has the write lock, which somebody has: no other connection could write without waiting. */
    private boolean canWrite() throws SQLException {
        try (Statement statement = connection.createStatement()) {
            int patience;
            try (ResultSet row = statement.executeQuery("PRAGMA busy_timeout")) {
                row.next();
                patience = row.getInt(1);
            }
            statement.execute("PRAGMA busy_timeout = 0");
            try {
                statement.executeUpdate("UPDATE main.entries SET version = version WHERE false");
                return true;
            } catch (SQLException e) {
                if (SqliteErrors.isBusy(e)) {
                    return false;
                }
                throw e;
            } finally {
                statement.execute("PRAGMA busy_timeout = " + patience);
            }
        }
    }
}
