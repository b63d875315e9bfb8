package dev.idem.gauntlet;

import com.zaxxer.hikari.HikariDataSource;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A floor: one table, {@code INSERT … ON CONFLICT DO NOTHING}, run, {@code UPDATE}; a duplicate reads the row. The row
 * is deleted on any exception.
 */
final class NaivePostgresql implements Contender {
    private final HikariDataSource pool;

    NaivePostgresql(int port, Path folder) throws SQLException {
        pool = Postgresql.pool(port, Postgresql.schema(folder));
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(
                    "CREATE TABLE IF NOT EXISTS naive (key text PRIMARY KEY, done boolean NOT NULL, result text)");
        }
    }

    @Override
    public String name() {
        return "bare table";
    }

    @Override
    public String store() {
        return "PostgreSQL";
    }

    @Override
    public String configuration() {
        return "INSERT ON CONFLICT DO NOTHING, run, UPDATE; SELECT for a duplicate; DELETE on any exception; 8 connections";
    }

    @Override
    public Set<Offer> offers() {
        return Set.of(Offer.REPLAY, Offer.DURABLE);
    }

    @Override
    public Answer call(String operation, String key, Map<String, Object> payload, Work work) {
        String name = operation + '/' + key;
        try {
            if (write("INSERT INTO naive (key, done) VALUES (?, false) ON CONFLICT DO NOTHING", name) == 0) {
                return find(name);
            }
            String value;
            try {
                value = work.run();
            } catch (RuntimeException e) {
                write("DELETE FROM naive WHERE key = ?", name);
                return new Answer.Refused(e);
            }
            write("UPDATE naive SET done = true, result = ? WHERE key = ?", value, name);
            return new Answer.Value(value);
        } catch (SQLException e) {
            return new Answer.Refused(e);
        }
    }

    private int write(String sql, @Nullable String... values) throws SQLException {
        try (Connection connection = pool.getConnection();
                PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < values.length; i++) {
                statement.setString(i + 1, values[i]);
            }
            return statement.executeUpdate();
        }
    }

    private Answer find(String name) throws SQLException {
        try (Connection connection = pool.getConnection();
                PreparedStatement select =
                        connection.prepareStatement("SELECT done, result FROM naive WHERE key = ?")) {
            select.setString(1, name);
            try (ResultSet row = select.executeQuery()) {
                return row.next() && row.getBoolean(1)
                        ? new Answer.Value(row.getString(2))
                        : new Answer.Refused(new IllegalStateException("in progress"));
            }
        }
    }

    @Override
    public void close() {
        pool.close();
    }
}
