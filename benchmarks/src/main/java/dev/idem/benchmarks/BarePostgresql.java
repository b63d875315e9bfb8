package dev.idem.benchmarks;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * The two floors under the PostgreSQL ledger, by one bare connection whose statements were prepared once: hand-written,
 * which sends the ledger's own statements, and naive, the plainest table that remembers keys and results.
 */
final class BarePostgresql implements AutoCloseable {
    private static final long MICROS = 1_000_000;
    private static final long LEASE = 30 * MICROS;
    private static final String SCOPE = "default";
    private static final String OPERATION = "charge";
    private static final String IDENTITY = "1d".repeat(32);

    private final Connection connection;
    private final PreparedStatement claim;
    private final PreparedStatement settle;
    private final PreparedStatement insert;
    private final PreparedStatement update;
    private final PreparedStatement select;

    BarePostgresql(Connection connection) throws SQLException {
        this.connection = connection;
        try (Statement statement = connection.createStatement()) {
            statement.execute(
                    "CREATE TABLE IF NOT EXISTS naive (key text PRIMARY KEY, state text NOT NULL, result bytea)");
        }
        String replayable = "e.state = 'complete' AND e.expires > n.at";
        claim = connection.prepareStatement("SELECT n.at, CASE WHEN " + replayable + " THEN NULL"
                + " ELSE idem.take(e.key IS NULL, ?, ?, ?, ?, ?, ?, ?, ?::jsonb, ?, ?, ?, ?, ?, ?, ?, ?::text[]) END,"
                + " CASE WHEN " + replayable + " THEN CASE WHEN e.trail IS NULL AND octet_length(e.body) < 2000"
                + " THEN e::text ELSE idem.packed(e) END END,"
                + " CASE WHEN " + replayable + " AND (e.trail IS NOT NULL OR octet_length(e.body) >= 2000)"
                + " THEN e.body END FROM (SELECT idem.idem_now() AS at OFFSET 0) n"
                + " LEFT JOIN idem.entry e ON e.scope = ? AND e.operation = ? AND e.key = ?");
        settle = connection.prepareStatement("UPDATE idem.entry x SET state = 'complete', settled = n.at,"
                + " expires = n.at + n.keep, due = n.at + n.keep, outcome = 'completed', effect = ?, keep = n.keep,"
                + " tombstone = ?, media_type = ?, codec = ?, encoding = ?, body = ?, ended = 'complete'"
                + " FROM (SELECT idem.idem_now() AS at, ?::bigint AS keep OFFSET 0) n"
                + " WHERE x.scope = ? AND x.operation = ? AND x.key = ? AND x.fence = ? AND x.lease = ?"
                + " AND x.state = 'in_progress' AND x.acted = x.fence AND x.marks IS NULL AND x.doubt IS NULL"
                + " AND x.ended IS NULL RETURNING n.at,"
                + " CASE WHEN EXISTS (SELECT FROM idem.waiting) THEN idem.announce(x) END");
        insert = connection.prepareStatement(
                "INSERT INTO naive (key, state) VALUES (?, 'in_progress') ON CONFLICT DO NOTHING");
        update = connection.prepareStatement("UPDATE naive SET state = 'complete', result = ? WHERE key = ?");
        select = connection.prepareStatement("SELECT state, result FROM naive WHERE key = ?");
    }

    /** What a first claim was granted: when its lease ends, by which a settle knows the entry, and its fence. */
    record Granted(long lease, long fence) {}

    /** The ledger's own claim of a key that nobody has. */
    Granted claim(String key) throws SQLException {
        bindClaim(key);
        try (ResultSet row = claim.executeQuery()) {
            row.next();
            row.getLong(1);
            String text = row.getString(2);
            int letter = text.indexOf('G');
            return new Granted(
                    Long.parseLong(text.substring(0, letter)) + LEASE, Long.parseLong(text.substring(letter + 1)));
        }
    }

    /** The ledger's own claim of a key that is complete. */
    String replay(String key) throws SQLException {
        bindClaim(key);
        try (ResultSet row = claim.executeQuery()) {
            row.next();
            row.getLong(1);
            row.getString(2);
            row.getBytes(4);
            return row.getString(3);
        }
    }

    private void bindClaim(String key) throws SQLException {
        claim.setString(1, SCOPE);
        claim.setString(2, OPERATION);
        claim.setString(3, key);
        claim.setString(4, "0123456789abcdef0123456789abcdef");
        claim.setString(5, IDENTITY);
        claim.setString(6, null);
        claim.setString(7, null);
        claim.setString(8, null);
        claim.setString(9, "pid 4711");
        claim.setString(10, "0123456789abcdef");
        claim.setLong(11, 4711);
        claim.setLong(12, 1_763_216_400_000L);
        claim.setLong(13, LEASE);
        claim.setLong(14, 300 * MICROS);
        claim.setBoolean(15, false);
        claim.setString(16, "{none,0,2000ms}");
        claim.setString(17, SCOPE);
        claim.setString(18, OPERATION);
        claim.setString(19, key);
    }

    /** The ledger's own settle. */
    void settle(String key, Granted granted, byte[] result) throws SQLException {
        settle.setString(1, "created");
        settle.setLong(2, 0);
        settle.setString(3, "text/plain");
        settle.setString(4, "text");
        settle.setString(5, "identity");
        settle.setBytes(6, result);
        settle.setLong(7, 7 * 86_400 * MICROS);
        settle.setString(8, SCOPE);
        settle.setString(9, OPERATION);
        settle.setString(10, key);
        settle.setLong(11, granted.fence());
        settle.setLong(12, granted.lease());
        try (ResultSet row = settle.executeQuery()) {
            if (!row.next()) {
                throw new IllegalStateException("the entry of " + key + " is another than the one that was granted");
            }
            row.getLong(1);
        }
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
