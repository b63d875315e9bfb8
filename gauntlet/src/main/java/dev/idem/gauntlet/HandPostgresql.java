package dev.idem.gauntlet;

import com.zaxxer.hikari.HikariDataSource;
import dev.idem.Idem;
import dev.idem.sql.SqlStatements;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A floor for times alone: Idem's own two statements, sent through a pool by hand. It waits for nobody. */
final class HandPostgresql implements Contender {
    private static final String IDENTITY = "1d".repeat(32);
    private static final long MICROS = 1_000_000;
    private static final long LEASE = 30 * MICROS;
    private static final long LIMIT = 300 * MICROS;
    private static final long KEEP = 7 * 86_400 * MICROS;
    private static final String SCOPE = "default";
    private static final Pattern BODY = Pattern.compile(",\"\\\\\\\\x([0-9a-f]*)\"");

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
        claim = statement(schema, "claim");
        settle = statement(schema, "complete");
    }

    private static String statement(String schema, String name) {
        return SqlStatements.read(HandPostgresql.class.getResourceAsStream("/dev/idem/postgresql/statements.sql"))
                .get(name)
                .replace("{schema}", schema)
                .replace("{channel}", "idem_" + schema);
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
            long lease;
            long fence;
            try (Connection connection = pool.getConnection();
                    PreparedStatement statement = connection.prepareStatement(claim)) {
                bindClaim(statement, operation, key);
                try (ResultSet row = statement.executeQuery()) {
                    row.next();
                    String taken = row.getString(1);
                    if (taken == null) {
                        return found(row.getString(3));
                    }
                    int space = taken.indexOf(' ');
                    if (taken.charAt(space + 1) == '(') {
                        return found(taken);
                    }
                    lease = Long.parseLong(taken, 0, space, 10) + LEASE;
                    fence = Long.parseLong(taken, space + 1, taken.length(), 10);
                }
            }
            String value = work.run();
            try (Connection connection = pool.getConnection();
                    PreparedStatement statement = connection.prepareStatement(settle)) {
                bindSettle(statement, operation, key, String.valueOf(value));
                statement.setLong(9, fence);
                statement.setLong(10, lease);
                statement.executeQuery().close();
            }
            return new Answer.Value(value);
        } catch (SQLException e) {
            return new Answer.Refused(e);
        }
    }

    private void bindClaim(PreparedStatement statement, String operation, String key) throws SQLException {
        statement.setString(1, SCOPE);
        statement.setString(2, operation);
        statement.setString(3, key);
        statement.setString(
                4,
                String.format(
                        Locale.ROOT,
                        "(%032x,1,%s,,bare,,,,%d,f,,,granted,,)",
                        attempts.incrementAndGet(),
                        IDENTITY,
                        LIMIT));
        statement.setString(5, null);
        statement.setLong(6, LEASE);
        statement.setLong(7, KEEP);
        statement.setString(8, "2s");
        statement.setString(9, SCOPE);
        statement.setString(10, operation);
        statement.setString(11, key);
    }

    private static void bindSettle(PreparedStatement statement, String operation, String key, String result)
            throws SQLException {
        statement.setLong(1, KEEP);
        statement.setLong(2, KEEP);
        statement.setLong(3, KEEP);
        statement.setString(4, "(completed,created,f," + KEEP + ",0,,,,text/plain,text,identity,complete,)");
        statement.setBytes(5, result.getBytes(StandardCharsets.UTF_8));
        statement.setString(6, SCOPE);
        statement.setString(7, operation);
        statement.setString(8, key);
    }

    /** The bytes of a small result are within the text of the entry, as hex. */
    private static Answer found(@Nullable String entry) {
        if (entry == null) {
            return new Answer.Refused(new IllegalStateException("ask again"));
        }
        Matcher body = BODY.matcher(entry);
        return entry.contains(",complete,") && body.find()
                ? new Answer.Value(new String(HexFormat.of().parseHex(body.group(1)), StandardCharsets.UTF_8))
                : new Answer.Refused(new IllegalStateException("in progress"));
    }

    @Override
    public void close() {
        pool.close();
    }
}
