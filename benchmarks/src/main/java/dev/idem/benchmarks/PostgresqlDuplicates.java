package dev.idem.benchmarks;

import dev.idem.lab.PostgresqlServer;
import dev.idem.lab.TempFolder;
import java.util.List;

/** Sixteen calls with one key at once, on a PostgreSQL server. */
final class PostgresqlDuplicates implements Scenario {
    @Override
    public String name() {
        return "PostgreSQL, 16 duplicates";
    }

    @Override
    public List<Row> run(Effort effort) throws Exception {
        try (TempFolder home = new TempFolder(effort.folder());
                PostgresqlServer server = new PostgresqlServer(home.path())) {
            return new Duplicates("PostgreSQL", folder -> Ledgers.inPostgresql(server)).run(effort);
        }
    }
}
