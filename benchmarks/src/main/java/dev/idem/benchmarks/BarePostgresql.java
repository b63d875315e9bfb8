package dev.idem.benchmarks;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;

/**
 * The two floors under the PostgreSQL ledger, by one bare connection whose statements were prepared once: hand-written,
 * which sends the ledger's own statements, and naive, the plainest table that remembers keys and results.
 */
final class BarePostgresql implements AutoCloseable {
    private static final long MICROS = 1_000_000;
    private static final String IDENTITY = "1d".repeat(32);
    private static final int FENCE = 3;
    private static final String ENTRY = "ROW(e.key, e.operation, e.scope, e.fence, e.state, e.attempt, e.replays,"
            + " e.created, e.claimed, e.settled, e.expires, e.due, e.identity, e.content, e.parent, e.labels,"
            + " e.attempt_id, e.owner, e.owner_host, e.owner_pid, e.owner_start, e.lease, e.acted, e.act_until,"
            + " e.staged, e.marks, e.child, e.doubt, e.doubt_since, e.outcome, e.effect, e.kept, e.keep, e.tombstone,"
            + " e.reason, e.failure_type, e.failure_message, e.media_type, e.codec, e.encoding, NULL, e.began,"
            + " e.ended, NULL)::text, e.body";

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
        claim = connection.prepareStatement("SELECT idem.idem_now(), false, " + ENTRY + " FROM idem.entry e"
                + " WHERE scope = 'default' AND operation = 'charge' AND key = ? AND state = 'complete'"
                + " AND expires > idem.idem_now()"
                + " UNION ALL SELECT c.at, c.changed, c.entry, c.body FROM idem.claim(?, 'default', 'charge', ?,"
                + " ?, NULL, NULL, NULL, 'bare', NULL, NULL, NULL, ?, ?, false, 'none', 0,"
                + " ROW(?, 0, false, false)::idem.judgement, '2000ms') c LIMIT 1");
        settle = connection.prepareStatement(
                "SELECT c.at, c.changed, c.entry, c.body FROM idem.settle('default', 'charge', ?, ?,"
                        + " ROW('completed', 'created', false, ?, 0, NULL, NULL, NULL, 'text/plain', 'text', 'identity', ?)"
                        + "::idem.settlement) c");
        insert = connection.prepareStatement(
                "INSERT INTO naive (key, state) VALUES (?, 'in_progress') ON CONFLICT DO NOTHING");
        update = connection.prepareStatement("UPDATE naive SET state = 'complete', result = ? WHERE key = ?");
        select = connection.prepareStatement("SELECT state, result FROM naive WHERE key = ?");
    }

    /** The ledger's own claim; gives the fence. */
    long claim(String key) throws SQLException {
        claim.setString(1, key);
        claim.setString(2, "0123456789abcdef0123456789abcdef");
        claim.setString(3, key);
        claim.setString(4, IDENTITY);
        claim.setLong(5, 30 * MICROS);
        claim.setLong(6, 300 * MICROS);
        claim.setNull(7, Types.BIGINT);
        return fence(claim);
    }

    /** The ledger's own settle. */
    void settle(String key, long fence, byte[] result) throws SQLException {
        settle.setString(1, key);
        settle.setLong(2, fence);
        settle.setLong(3, 7 * 86_400 * MICROS);
        settle.setBytes(4, result);
        fence(settle);
    }

    private static long fence(PreparedStatement statement) throws SQLException {
        try (ResultSet row = statement.executeQuery()) {
            row.next();
            row.getLong(1);
            row.getBoolean(2);
            String[] columns = row.getString(3).split(",", -1);
            row.getBytes(4);
            return Long.parseLong(columns[FENCE]);
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
