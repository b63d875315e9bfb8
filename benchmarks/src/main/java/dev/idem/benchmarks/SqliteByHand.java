package dev.idem.benchmarks;

import dev.idem.internal.sql.SqlStatements;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;

/**
 * The cost of a first call on SQLite without the library: the ledger's own table and its own statements, sent by the bare
 * driver, with plain string concatenation.
 */
final class SqliteByHand implements AutoCloseable {
    private static final String CLOCK = " 11600303974692 0123456789abcdef012345/4026531834";
    private static final String DOCUMENT = "{\"v\":1,\"identity\":\"" + "1d".repeat(32)
            + "\",\"attempt_id\":\"0123456789abcdef0123456789abcdef\",\"owner\":\"pid 4711\",\"host\":"
            + "\"0123456789abcdef012345/4026531836\",\"pid\":4711,\"start\":1156951,\"time_limit\":300";
    private static final String ENDING =
            ",\"ending\":\"completed\",\"media\":\"text/plain;charset=utf-8\"," + "\"codec\":\"text\",\"keep\":604800";

    private final Connection connection;
    private final PreparedStatement grant;
    private final PreparedStatement end;
    private final Connection reader;
    private final PreparedStatement read;
    private long fence;

    SqliteByHand(Path file) throws SQLException {
        connection = BareSqlite.connect(file);
        try (Statement statement = connection.createStatement()) {
            statement.executeUpdate(SqlStatements.text(
                    SqliteByHand.class.getResourceAsStream("/dev/idem/sqlite/migrations/001-entries.sql")));
        }
        BareSqlite.leaveTransactionsAlone(connection);
        grant = connection.prepareStatement(statement("insert"));
        end = connection.prepareStatement(statement("replace"));
        reader = BareSqlite.connect(file);
        BareSqlite.leaveTransactionsAlone(reader);
        read = reader.prepareStatement("SELECT * FROM entries WHERE key = ? AND operation = ? AND scope = ?");
    }

    private static String statement(String name) {
        return SqlStatements.read(SqliteByHand.class.getResourceAsStream("/dev/idem/sqlite/statements.sql"))
                .get(name);
    }

    /** Two durable commits: the key is granted, and complete. */
    void firstCall(String key, byte[] result) throws SQLException {
        fence++;
        Instant now = Instant.now();
        String claimed = now + CLOCK;
        grant.setString(1, "in_progress");
        grant.setLong(2, -fence);
        grant.setString(3, claimed);
        grant.setString(4, now.plusSeconds(30) + CLOCK);
        grant.setString(9, DOCUMENT + "}");
        grant.setString(11, key);
        grant.setString(12, "charge");
        grant.setString(13, "default");
        requireOne(grant.executeUpdate(), key);
        String expires = now.plusSeconds(604_800).toString();
        end.setString(1, "complete");
        end.setLong(2, fence);
        end.setString(3, claimed);
        end.setString(5, claimed);
        end.setString(6, expires);
        end.setString(7, expires);
        end.setString(9, DOCUMENT + ENDING + "}");
        end.setBytes(10, result);
        end.setBoolean(11, false);
        end.setLong(12, fence);
        end.setLong(13, -fence);
        requireOne(end.executeUpdate(), key);
    }

    /** The read before the claim, which answers duplicates without a lock. It has a connection of its own. */
    void read(String key) throws SQLException {
        read.setString(1, key);
        read.setString(2, "charge");
        read.setString(3, "default");
        try (ResultSet found = read.executeQuery()) {
            if (found.next()) {
                throw new IllegalStateException("the entry of " + key + " is there already");
            }
        }
    }

    private static void requireOne(int changed, String key) {
        if (changed != 1) {
            throw new IllegalStateException("the entry of " + key + " was not written");
        }
    }

    @Override
    public void close() throws SQLException {
        reader.close();
        connection.close();
    }
}
