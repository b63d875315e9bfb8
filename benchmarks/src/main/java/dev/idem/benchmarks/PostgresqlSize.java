package dev.idem.benchmarks;

import dev.idem.Idem;
import dev.idem.lab.PostgresqlServer;
import dev.idem.lab.TempFolder;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** The size of an entry in a PostgreSQL database, and of the log that a call writes. */
final class PostgresqlSize implements Scenario {
    private static final String LOG = "SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')";

    @Override
    public String name() {
        return "PostgreSQL, size";
    }

    @Override
    public List<Row> run(Effort effort) throws Exception {
        int each = Sample.each(effort, 4);
        long entries = (long) each * Sample.THREADS;
        try (TempFolder home = new TempFolder(effort.folder());
                PostgresqlServer server = new PostgresqlServer(home.path());
                Idem idem = Ledgers.inPostgresql(server);
                Crowd crowd = new Crowd(Sample.THREADS);
                Connection connection = server.connect();
                Statement sql = connection.createStatement()) {
            List<Row> rows = new ArrayList<>();
            double begin = number(sql, LOG);
            double rate = Sample.fill(idem, crowd, "a", each);
            double filled = number(sql, LOG);
            sql.execute("CHECKPOINT");
            double checked = number(sql, LOG);
            int fewer = Math.max(1, each / 10);
            Sample.fill(idem, crowd, "b", fewer);
            double after = number(sql, LOG);
            Sample.fill(idem, crowd, "b", fewer);
            double replayed = number(sql, LOG);
            long all = entries + (long) fewer * Sample.THREADS;
            sql.execute("VACUUM idem.entries");
            rows.add(Sample.row(
                    "PostgreSQL, table for each of " + all + " entries",
                    number(sql, "SELECT pg_table_size('idem.entries')") / all));
            rows.add(Sample.row(
                    "PostgreSQL, indexes for each of them",
                    number(sql, "SELECT pg_indexes_size('idem.entries')") / all));
            rows.add(Sample.row("PostgreSQL, log of a first call, far from a checkpoint", (filled - begin) / entries));
            rows.add(Sample.row(
                    "PostgreSQL, log of a first call, just after a checkpoint",
                    (after - checked) / fewer / Sample.THREADS));
            rows.add(Sample.row("PostgreSQL, log of a replay", (replayed - after) / fewer / Sample.THREADS));
            rows.add(Sample.rate("PostgreSQL, first calls while it grows, 64 threads on 8 connections", rate));
            rows.add(Sample.rate("PostgreSQL, entries purged, batches of 1000", Sample.purge(idem, crowd, fewer)));
            return rows;
        }
    }

    private static double number(Statement sql, String question) throws SQLException {
        try (ResultSet row = sql.executeQuery(question)) {
            row.next();
            return row.getDouble(1);
        }
    }
}
