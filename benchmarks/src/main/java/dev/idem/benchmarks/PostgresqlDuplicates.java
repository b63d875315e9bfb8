package dev.idem.benchmarks;

import java.util.List;

/** Sixteen calls with one key at once, on a PostgreSQL server. */
final class PostgresqlDuplicates implements Scenario {
    @Override
    public String name() {
        return "PostgreSQL, 16 duplicates";
    }

    @Override
    public List<Row> run(Effort effort) throws Exception {
        try (PostgresqlServer server = new PostgresqlServer(effort.folder())) {
            return new Duplicates("PostgreSQL", folder -> server.open()).run(effort);
        }
    }
}
