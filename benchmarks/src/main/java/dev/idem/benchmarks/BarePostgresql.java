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
    private static final String CLAIMER = "{0123456789abcdef0123456789abcdef," + "1d".repeat(32)
            + ",NULL,NULL,NULL,pid 4711,0123456789abcdef,4711,1763216400000}";
    private static final String ENTRY = "ROW(e.key, e.operation, e.scope, e.fence, e.state, e.attempt, e.replays,"
            + " e.created, e.claimed, e.settled, e.expires, e.due, e.identity, e.content, e.parent, e.labels,"
            + " e.attempt_id, e.owner, e.owner_host, e.owner_pid, e.owner_start, e.lease, e.acted, e.act_until,"
            + " e.staged, e.marks, e.child, e.doubt, e.doubt_since, e.outcome, e.effect, e.kept, e.keep, e.tombstone,"
            + " e.reason, e.failure_type, e.failure_message, e.media_type, e.codec, e.encoding, NULL, e.began,"
            + " e.ended, NULL)::text";

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
                + " ELSE idem.take(e.key IS NULL, ?, ?, ?, ?::text[], ?, ?, ?, ?::text[]) END,"
                + " CASE WHEN " + replayable + " THEN " + ENTRY + " END, CASE WHEN " + replayable + " THEN e.body END"
                + " FROM (SELECT idem.idem_now() AS at OFFSET 0) n"
                + " LEFT JOIN idem.entry e ON e.scope = ? AND e.operation = ? AND e.key = ?");
        settle = connection.prepareStatement("UPDATE idem.entry x SET"
                + " state = 'complete', settled = n.at, expires = n.at + n.keep, due = n.at + n.keep, doubt = NULL,"
                + " doubt_since = NULL, outcome = 'completed', effect = n.result[1], kept = false, keep = n.keep,"
                + " tombstone = n.tombstone, reason = n.result[2], failure_type = NULL, failure_message = NULL,"
                + " media_type = n.result[3], codec = n.result[4], encoding = n.result[5], body = ?,"
                + " began = CASE WHEN x.ended IS NULL THEN x.began END, ended = 'complete',"
                + " trail = CASE WHEN x.ended IS NULL THEN x.trail ELSE idem.told(x) END"
                + " FROM (SELECT idem.idem_now() AS at, ?::bigint AS keep, ?::bigint AS tombstone,"
                + " ?::text[] AS result OFFSET 0) n"
                + " WHERE x.scope = ? AND x.operation = ? AND x.key = ? AND x.acted = ?"
                + " AND x.state IN ('in_progress', 'in_doubt') RETURNING n.at, true,"
                + " CASE WHEN x.lease = ? AND x.fence = x.acted AND x.marks IS NULL THEN NULL"
                + " ELSE idem.packed(x) END, NULL::bytea,"
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
    byte[] replay(String key) throws SQLException {
        bindClaim(key);
        try (ResultSet row = claim.executeQuery()) {
            row.next();
            row.getLong(1);
            row.getString(2);
            row.getString(3);
            return row.getBytes(4);
        }
    }

    private void bindClaim(String key) throws SQLException {
        claim.setString(1, SCOPE);
        claim.setString(2, OPERATION);
        claim.setString(3, key);
        claim.setString(4, CLAIMER);
        claim.setLong(5, LEASE);
        claim.setLong(6, 300 * MICROS);
        claim.setBoolean(7, false);
        claim.setString(8, "{none,0,2000ms}");
        claim.setString(9, SCOPE);
        claim.setString(10, OPERATION);
        claim.setString(11, key);
    }

    /** The ledger's own settle. */
    void settle(String key, Granted granted, byte[] result) throws SQLException {
        settle.setBytes(1, result);
        settle.setLong(2, 7 * 86_400 * MICROS);
        settle.setLong(3, 0);
        settle.setString(4, "{created,NULL,text/plain,text,identity}");
        settle.setString(5, SCOPE);
        settle.setString(6, OPERATION);
        settle.setString(7, key);
        settle.setLong(8, granted.fence());
        settle.setLong(9, granted.lease());
        try (ResultSet row = settle.executeQuery()) {
            row.next();
            row.getLong(1);
            if (row.getString(3) != null) {
                throw new IllegalStateException("the entry of " + key + " is another than the one that was granted");
            }
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
