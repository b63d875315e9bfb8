package dev.idem.benchmarks;

import dev.idem.sql.SqlStatements;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * What a first call on SQLite costs without the library: the ledger's own tables and its own two statements, sent by the
 * bare driver, with texts that are put together plainly.
 */
final class SqliteByHand implements AutoCloseable {
    private static final long MICROS = 1_000_000;
    private static final long KEEP = 7 * 86_400 * MICROS;
    private static final String BOOT = "0123456789abcdef012345/4026531834";

    private final Connection connection;
    private final PreparedStatement grant;
    private final PreparedStatement end;
    private long fence;

    SqliteByHand(Path file) throws SQLException {
        connection = BareSqlite.connect(file);
        try (Statement statement = connection.createStatement()) {
            statement.executeUpdate(SqlStatements.text(
                    SqliteByHand.class.getResourceAsStream("/dev/idem/sqlite/migrations/001-entries.sql")));
        }
        BareSqlite.leaveTransactionsAlone(connection);
        grant = connection.prepareStatement(statement("first-grant"));
        end = connection.prepareStatement(statement("end-unchanged"));
    }

    private static String statement(String name) {
        return SqlStatements.read(SqliteByHand.class.getResourceAsStream("/dev/idem/sqlite/statements.sql"))
                .get(name);
    }

    /** Two durable commits: the key is granted, and complete. */
    void firstCall(String key, byte[] result) throws SQLException {
        fence++;
        long now = System.currentTimeMillis() * 1000;
        byte[] attempt = ("[\"0123456789abcdef0123456789abcdef\",\"pid 4711\",\"" + BOOT + "\",4711,1156951," + now
                        + ",\""
                        + BOOT + "\",11600303974692," + (now + 300 * MICROS) + ",11870303974692,null,0,1,\"granted\",\""
                        + "1d".repeat(32) + "\"]")
                .getBytes(StandardCharsets.UTF_8);
        grant.setLong(1, fence);
        grant.setString(2, key);
        grant.setString(3, "charge");
        grant.setString(4, "default");
        grant.setLong(5, now);
        grant.setBytes(6, attempt);
        requireOne(grant.executeUpdate(), key);
        byte[] outcome = ("[" + now + "," + (now + KEEP) + ",\"complete\",\"completed\"," + KEEP
                        + ",0,\"created\",\"text/plain;charset=utf-8\",\"text\",\"identity\"]")
                .getBytes(StandardCharsets.UTF_8);
        end.setString(1, "complete");
        end.setLong(2, now + KEEP);
        end.setBytes(3, outcome);
        end.setBytes(4, result);
        end.setLong(5, fence);
        end.setBytes(6, attempt);
        requireOne(end.executeUpdate(), key);
    }

    private static void requireOne(int changed, String key) {
        if (changed != 1) {
            throw new IllegalStateException("the entry of " + key + " was not written");
        }
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
