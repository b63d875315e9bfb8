package dev.idem.gauntlet;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.sqlite.JDBC;
import org.sqlite.SQLiteConfig;

/**
 * A floor: one table, {@code INSERT … ON CONFLICT DO NOTHING}, run, {@code UPDATE}; the row is deleted on any exception.
 * One connection behind a lock, write-ahead log, {@code synchronous = FULL}.
 */
final class BareSqlite implements Contender {
    private final ReentrantLock lock = new ReentrantLock();
    private final Connection connection;
    private final PreparedStatement insert;
    private final PreparedStatement update;
    private final PreparedStatement select;
    private final PreparedStatement delete;

    BareSqlite(Path folder) throws SQLException {
        SQLiteConfig config = new SQLiteConfig();
        config.setBusyTimeout(10_000);
        config.setGetGeneratedKeys(false);
        connection = JDBC.createConnection("jdbc:sqlite:" + folder.resolve("bare.db"), config.toProperties());
        try (Statement statement = connection.createStatement()) {
            statement.executeUpdate("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;"
                    + " CREATE TABLE IF NOT EXISTS bare (key TEXT PRIMARY KEY, done INTEGER NOT NULL, result TEXT)"
                    + " STRICT, WITHOUT ROWID");
        }
        insert = connection.prepareStatement("INSERT INTO bare (key, done) VALUES (?, 0) ON CONFLICT DO NOTHING");
        update = connection.prepareStatement("UPDATE bare SET done = 1, result = ? WHERE key = ?");
        select = connection.prepareStatement("SELECT done, result FROM bare WHERE key = ?");
        delete = connection.prepareStatement("DELETE FROM bare WHERE key = ?");
    }

    @Override
    public String name() {
        return "bare table";
    }

    @Override
    public String store() {
        return "SQLite";
    }

    @Override
    public String configuration() {
        return "INSERT ON CONFLICT DO NOTHING, run, UPDATE; DELETE on any exception; WAL, synchronous FULL";
    }

    @Override
    public Set<Offer> offers() {
        return Set.of(Offer.REPLAY, Offer.DURABLE);
    }

    @Override
    public Answer call(String operation, String key, Map<String, Object> payload, Work work) {
        String name = operation + '/' + key;
        try {
            Answer known = claim(name);
            if (known != null) {
                return known;
            }
            String value;
            try {
                value = work.run();
            } catch (RuntimeException e) {
                write(delete, name);
                return new Answer.Refused(e);
            }
            complete(name, value);
            return new Answer.Value(value);
        } catch (SQLException e) {
            return new Answer.Refused(e);
        }
    }

    private @Nullable Answer claim(String name) throws SQLException {
        lock.lock();
        try {
            Answer known = find(name);
            if (known != null) {
                return known;
            }
            insert.setString(1, name);
            return insert.executeUpdate() == 1 ? null : find(name);
        } finally {
            lock.unlock();
        }
    }

    private @Nullable Answer find(String name) throws SQLException {
        select.setString(1, name);
        try (ResultSet row = select.executeQuery()) {
            if (!row.next()) {
                return null;
            }
            return row.getBoolean(1)
                    ? new Answer.Value(row.getString(2))
                    : new Answer.Refused(new IllegalStateException("in progress"));
        }
    }

    private void complete(String name, @Nullable String value) throws SQLException {
        lock.lock();
        try {
            update.setString(1, value);
            update.setString(2, name);
            update.executeUpdate();
        } finally {
            lock.unlock();
        }
    }

    private void write(PreparedStatement statement, String name) throws SQLException {
        lock.lock();
        try {
            statement.setString(1, name);
            statement.executeUpdate();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        try {
            connection.close();
        } catch (SQLException e) {
            throw new IllegalStateException("the floor's file can't be closed", e);
        }
    }
}
