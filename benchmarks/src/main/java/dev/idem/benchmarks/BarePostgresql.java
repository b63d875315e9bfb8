package dev.idem.benchmarks;

import dev.idem.sql.SqlStatements;
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
    private static final long KEEP = 7 * 86_400 * MICROS;
    private static final String SCOPE = "default";
    private static final String OPERATION = "charge";
    private static final String IDENTITY = "1d".repeat(32);

    private final Connection connection;
    private final PreparedStatement claimNew;
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
        claimNew = connection.prepareStatement(statement("claim-new"));
        claim = connection.prepareStatement(statement("claim"));
        settle = connection.prepareStatement(statement("complete"));
        insert = connection.prepareStatement(
                "INSERT INTO naive (key, state) VALUES (?, 'in_progress') ON CONFLICT DO NOTHING");
        update = connection.prepareStatement("UPDATE naive SET state = 'complete', result = ? WHERE key = ?");
        select = connection.prepareStatement("SELECT state, result FROM naive WHERE key = ?");
    }

    private static String statement(String name) {
        return SqlStatements.read(BarePostgresql.class.getResourceAsStream("/dev/idem/postgresql/statements.sql"))
                .get(name)
                .replace("{schema}", "idem")
                .replace("{channel}", "idem_idem");
    }

    /** What a first claim was granted: when its lease ends, by which a settle knows the entry, and its fence. */
    record Granted(long lease, long fence) {}

    /** The ledger's own claim of a key that nobody has, where it expects one. */
    Granted claim(String key) throws SQLException {
        bindRequest(claimNew, key);
        try (ResultSet row = claimNew.executeQuery()) {
            row.next();
            String taken = row.getString(1);
            int space = taken.indexOf(' ');
            return new Granted(
                    Long.parseLong(taken, 0, space, 10) + LEASE, Long.parseLong(taken, space + 1, taken.length(), 10));
        }
    }

    /** The ledger's own claim of a key that is complete. */
    String replay(String key) throws SQLException {
        bindRequest(claim, key);
        bindAddress(claim, 9, key);
        try (ResultSet row = claim.executeQuery()) {
            row.next();
            row.getString(1);
            row.getLong(2);
            row.getBytes(4);
            return row.getString(3);
        }
    }

    private static void bindAddress(PreparedStatement statement, int from, String key) throws SQLException {
        statement.setString(from, SCOPE);
        statement.setString(from + 1, OPERATION);
        statement.setString(from + 2, key);
    }

    private static void bindRequest(PreparedStatement statement, String key) throws SQLException {
        bindAddress(statement, 1, key);
        statement.setString(
                4,
                "(0123456789abcdef0123456789abcdef,1," + IDENTITY + ",,pid 4711,0123456789abcdef," + 4711 + ","
                        + 1_763_216_400_000L + "," + 300 * MICROS + ",f,,,granted,,)");
        statement.setString(5, null);
        statement.setLong(6, LEASE);
        statement.setLong(7, KEEP);
        statement.setString(8, "2s");
    }

    /** The ledger's own settle. */
    void settle(String key, Granted granted, byte[] result) throws SQLException {
        settle.setLong(1, KEEP);
        settle.setLong(2, KEEP);
        settle.setLong(3, KEEP);
        settle.setString(4, "(completed,created,f," + KEEP + ",0,,,,text/plain,text,identity,complete,)");
        settle.setBytes(5, result);
        bindAddress(settle, 6, key);
        settle.setLong(9, granted.fence());
        settle.setLong(10, granted.lease());
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
