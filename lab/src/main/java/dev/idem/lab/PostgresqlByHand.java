package dev.idem.lab;

import dev.idem.internal.sql.SqlStatements;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/** The PostgreSQL ledger's own statements, sent by the bare driver: a floor. It does not wait for duplicates. */
public final class PostgresqlByHand {
    private static final long MICROS = 1_000_000;
    private static final long LEASE = 30 * MICROS;
    private static final long KEEP = 7 * 86_400 * MICROS;
    private static final String SCOPE = "default";
    private static final String LOCK_MILLIS = "2000";
    private static final String GRANTED = "{\"v\":1,\"identity\":\"" + "1d".repeat(32)
            + "\",\"attempt_id\":\"0123456789abcdef0123456789abcdef\",\"owner\":\"pid 4711\",\"host\":"
            + "\"0123456789abcdef\",\"pid\":4711,\"start\":1763216400000,\"time_limit\":300}";
    private static final String COMPLETE = GRANTED.substring(0, GRANTED.length() - 1)
            + ",\"ending\":\"completed\",\"media\":\"text/plain\",\"codec\":\"text\",\"keep\":604800}";

    private final String insert;
    private final String replace;

    /** {@code schema} is that of a ledger that has been opened. */
    public PostgresqlByHand(String schema) {
        SqlStatements statements = SqlStatements.read(
                PostgresqlByHand.class.getResourceAsStream("/dev/idem/postgresql/statements.sql"),
                sql -> sql.replace("{schema}", schema)
                        .replace("{channel}", "idem_" + schema)
                        .replaceAll("\\{([-+*<>=|@]+)}", "OPERATOR(pg_catalog.$1)"));
        insert = statements.get("insert");
        replace = statements.get("replace");
    }

    /**
     * The answer to a claim.
     *
     * @param version of the inserted row; null if there was a row
     * @param result of the existing row; null while it is in progress
     */
    @SuppressWarnings("ArrayRecordComponent") // carried, never compared
    public record Claimed(@Nullable Long version, byte @Nullable [] result) {}

    /** One statement: claims a key, or reads its row. */
    public Claimed claim(Connection connection, String operation, String key) throws SQLException {
        long version = ThreadLocalRandom.current().nextLong();
        try (PreparedStatement statement = connection.prepareStatement(insert)) {
            bindAddress(statement, 1, operation, key);
            statement.setLong(4, version);
            statement.setString(5, "in_progress");
            statement.setLong(6, LEASE);
            statement.setNull(7, Types.BIGINT);
            statement.setString(8, null);
            statement.setString(9, GRANTED);
            statement.setBytes(10, null);
            statement.setString(11, LOCK_MILLIS);
            bindAddress(statement, 12, operation, key);
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                row.getLong(2);
                return row.wasNull() ? new Claimed(null, row.getBytes("body")) : new Claimed(version, null);
            }
        }
    }

    /** One statement: completes a claim. */
    public void settle(Connection connection, String operation, String key, Claimed claimed, byte[] result)
            throws SQLException {
        Long version = claimed.version();
        if (version == null) {
            throw new IllegalStateException(key + " was not granted");
        }
        try (PreparedStatement statement = connection.prepareStatement(replace)) {
            statement.setLong(1, ThreadLocalRandom.current().nextLong());
            statement.setString(2, "complete");
            statement.setBoolean(3, false);
            statement.setBoolean(4, false);
            statement.setNull(5, Types.BIGINT);
            statement.setString(6, null);
            statement.setString(7, COMPLETE);
            statement.setBytes(8, result);
            statement.setLong(9, KEEP);
            statement.setString(10, "SETTLED");
            statement.setString(11, LOCK_MILLIS);
            bindAddress(statement, 12, operation, key);
            statement.setLong(15, version);
            statement.setNull(16, Types.TIMESTAMP_WITH_TIMEZONE);
            try (ResultSet row = statement.executeQuery()) {
                if (!row.next()) {
                    throw new IllegalStateException("the row of " + key + " is not the one that was inserted");
                }
            }
        }
    }

    private static void bindAddress(PreparedStatement statement, int from, String operation, String key)
            throws SQLException {
        statement.setString(from, SCOPE);
        statement.setString(from + 1, operation);
        statement.setString(from + 2, key);
    }
}
