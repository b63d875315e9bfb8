package dev.idem.gauntlet;

import com.zaxxer.hikari.HikariDataSource;
import dev.idem.Idem;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** A floor for times alone: Idem's own two statements, sent through a pool by hand. It waits for nobody. */
final class HandPostgresql implements Contender {
    private static final String IDENTITY = "1d".repeat(32);
    private static final String ENTRY = "ROW(e.key, e.operation, e.scope, e.fence, e.state, e.attempt, e.replays,"
            + " e.created, e.claimed, e.settled, e.expires, e.due, e.identity, e.content, e.parent, e.labels,"
            + " e.attempt_id, e.owner, e.owner_host, e.owner_pid, e.owner_start, e.lease, e.acted, e.act_until,"
            + " e.staged, e.marks, e.child, e.doubt, e.doubt_since, e.outcome, e.effect, e.kept, e.keep, e.tombstone,"
            + " e.reason, e.failure_type, e.failure_message, e.media_type, e.codec, e.encoding, NULL, e.began,"
            + " e.ended, NULL)::text, e.body";
    private static final int FENCE = 3;
    private static final int STATE = 4;

    private final AtomicLong attempts = new AtomicLong();
    private final HikariDataSource pool;
    private final String claim;
    private final String settle;

    HandPostgresql(int port, Path folder) throws SQLException {
        String schema = Postgresql.schema(folder);
        // Makes the tables and functions.
        Idem.builder()
                .ledger("postgresql://postgres@127.0.0.1:" + port + "/postgres?schema=" + schema)
                .quiet()
                .open()
                .close();
        pool = Postgresql.pool(port, schema);
        claim = ("SELECT $.idem_now(), false, " + ENTRY
                        + " FROM $.entry e WHERE scope = 'default' AND operation = ? AND key = ?"
                        + " AND state = 'complete' AND expires > $.idem_now()"
                        + " UNION ALL SELECT c.at, c.changed, c.entry, c.body FROM $.claim(?, 'default', ?, ?, '"
                        + IDENTITY
                        + "', NULL, NULL, NULL, 'bare', NULL, NULL, NULL, 30000000, 300000000, false, 'none', 0,"
                        + " ROW(NULL, 0, false, false)::$.judgement, '2000ms') c LIMIT 1")
                .replace("$", schema);
        settle = ("SELECT c.at, c.changed, c.entry, c.body FROM $.settle('default', ?, ?, ?,"
                        + " ROW('completed', 'created', false, 604800000000, 0, NULL, NULL, NULL, 'text/plain', 'text',"
                        + " 'identity', ?)::$.settlement) c")
                .replace("$", schema);
    }

    @Override
    public String name() {
        return "by hand";
    }

    @Override
    public String store() {
        return "PostgreSQL";
    }

    @Override
    public String configuration() {
        return "Idem's own claim and settle, sent by the bare driver; 8 connections";
    }

    @Override
    public Set<Offer> offers() {
        return Set.of(Offer.REPLAY, Offer.DURABLE);
    }

    @Override
    public Answer call(String operation, String key, Map<String, Object> payload, Work work) {
        try {
            long fence;
            try (Connection connection = pool.getConnection();
                    PreparedStatement statement = connection.prepareStatement(claim)) {
                statement.setString(1, operation);
                statement.setString(2, key);
                statement.setString(3, String.format(Locale.ROOT, "%032x", attempts.incrementAndGet()));
                statement.setString(4, operation);
                statement.setString(5, key);
                try (ResultSet row = statement.executeQuery()) {
                    if (!row.next()) {
                        return new Answer.Refused(new IllegalStateException("ask again"));
                    }
                    String[] entry = row.getString(3).split(",", -1);
                    if (!row.getBoolean(2)) {
                        return found(entry[STATE], row.getBytes(4));
                    }
                    fence = Long.parseLong(entry[FENCE]);
                }
            }
            String value = work.run();
            try (Connection connection = pool.getConnection();
                    PreparedStatement statement = connection.prepareStatement(settle)) {
                statement.setString(1, operation);
                statement.setString(2, key);
                statement.setLong(3, fence);
                statement.setBytes(4, String.valueOf(value).getBytes(StandardCharsets.UTF_8));
                statement.executeQuery().close();
            }
            return new Answer.Value(value);
        } catch (SQLException e) {
            return new Answer.Refused(e);
        }
    }

    private static Answer found(String state, byte @Nullable [] result) {
        return state.equals("complete") && result != null
                ? new Answer.Value(new String(result, StandardCharsets.UTF_8))
                : new Answer.Refused(new IllegalStateException("in progress"));
    }

    @Override
    public void close() {
        pool.close();
    }
}
