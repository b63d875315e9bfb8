package dev.idem.benchmarks;

import dev.idem.Idem;
import dev.idem.lab.TempFolder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.sqlite.JDBC;
import org.sqlite.SQLiteConfig;

/** The size of an entry in a SQLite file, and of the writes of a call. */
final class SqliteSize implements Scenario {
    /** Few enough that no checkpoint resets the log meanwhile. */
    private static final int CALLS_OF_A_LOG = 64;

    private static final int LOGS = 8;

    @Override
    public String name() {
        return "SQLite, size";
    }

    @Override
    public List<Row> run(Effort effort) throws Exception {
        int each = Sample.each(effort, 1);
        long entries = (long) each * Sample.THREADS;
        try (TempFolder folder = new TempFolder(effort.folder());
                Crowd crowd = new Crowd(Sample.THREADS);
                Crowd alone = new Crowd(1)) {
            Path file = folder.file("idem.db");
            double perCall;
            double forReplays;
            double log;
            double rate;
            try (Idem idem = Ledgers.inSqlite(file)) {
                long before = Sample.written();
                rate = Sample.fill(idem, crowd, "a", each);
                long filled = Sample.written();
                Sample.fill(idem, crowd, "a", Math.min(each, 50));
                forReplays = (double) (Sample.written() - filled) / Math.min(each, 50) / Sample.THREADS;
                perCall = (double) (filled - before) / entries;
                log = logOfACall(idem, alone, file);
            }
            double kept = (double) Files.size(file) / (entries + (long) LOGS * CALLS_OF_A_LOG);
            double purged;
            try (Idem idem = Ledgers.inSqlite(folder.file("purged.db"))) {
                purged = Sample.purge(idem, crowd, Math.max(1, each / 10));
            }
            return List.of(
                    Sample.row("SQLite, file for each of " + entries + " entries", kept),
                    Sample.row("SQLite, log of a first call, one thread", log),
                    Sample.row("SQLite, written for a first call with log and write-back, 64 threads", perCall),
                    Sample.row("SQLite, written for a replay, 64 threads", forReplays),
                    Sample.rate("SQLite, first calls while it grows, 64 threads", rate),
                    Sample.rate("SQLite, entries purged, batches of 1000", purged));
        }
    }

    private static double logOfACall(Idem idem, Crowd alone, Path file) throws Exception {
        long bytes = 0;
        try (Connection connection = JDBC.createConnection("jdbc:sqlite:" + file, new SQLiteConfig().toProperties())) {
            for (int i = 0; i < LOGS; i++) {
                writeBack(connection);
                Sample.fill(idem, alone, "log" + i, CALLS_OF_A_LOG);
                bytes += Files.size(file.resolveSibling(file.getFileName() + "-wal"));
            }
        }
        return (double) bytes / LOGS / CALLS_OF_A_LOG;
    }

    private static void writeBack(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("PRAGMA wal_checkpoint(TRUNCATE)");
        }
    }
}
