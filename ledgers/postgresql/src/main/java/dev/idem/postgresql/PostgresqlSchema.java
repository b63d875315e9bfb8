package dev.idem.postgresql;

import dev.idem.internal.sql.Migration;
import dev.idem.internal.sql.Migrations;
import dev.idem.internal.sql.SqlStatements;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The schema as SQL, to be applied by hand if the ledger's role may not create it. As a program it prints the SQL for
 * the given schema, or for {@code idem}.
 */
public final class PostgresqlSchema {
    private static final List<String> FILES =
            List.of("001-entries.sql", "002-functions.sql", "003-search.sql", "004-qualified.sql", "005-hours.sql");

    /** So that every name in the migrations is one of the system, or of the ledger's schema. Until the commit. */
    static final String SEARCH_PATH = "SET LOCAL search_path = pg_catalog;";

    private static final String TABLE = """
            -- Which steps of the stored format were applied, and with which text.
            CREATE TABLE {schema}.migration (
                version  integer PRIMARY KEY,
                name     text NOT NULL,
                checksum text NOT NULL,
                applied  timestamptz NOT NULL DEFAULT now());
            """;

    private PostgresqlSchema() {}

    /** The SQL for a database without a ledger, as one transaction. */
    public static String sql(String schema) {
        return sql(schema, 0);
    }

    /**
     * The SQL of the missing migrations, as one transaction.
     *
     * @param format the current format of the database; 0 for none
     */
    public static String sql(String schema, int format) {
        String name = PostgresqlSettings.defaults().withSchema(schema).schema();
        StringBuilder sql = new StringBuilder("BEGIN;\n").append(SEARCH_PATH).append("\n\n");
        if (format == 0) {
            sql.append("CREATE SCHEMA IF NOT EXISTS ").append(name).append(";\n\n");
            sql.append(table(name)).append('\n');
        }
        for (Migration migration : all().pending(checksums(format), "schema " + name)) {
            sql.append(Statements.in(name, migration.sql()))
                    .append("\nINSERT INTO ")
                    .append(name)
                    .append(".migration (version, name, checksum) VALUES (")
                    .append(migration.version())
                    .append(", '")
                    .append(migration.name())
                    .append("', '")
                    .append(migration.checksum())
                    .append("');\n\n");
        }
        return sql.append("COMMIT;\n").toString();
    }

    /** Prints the SQL for the schema named by the first argument. */
    public static void main(String[] arguments) {
        print(System.out, arguments);
    }

    static void print(PrintStream out, String... arguments) {
        out.print(sql(arguments.length == 0 ? PostgresqlSettings.defaults().schema() : arguments[0]));
        out.flush();
    }

    static Migrations all() {
        return new Migrations(FILES.stream()
                .map(file -> Migration.of(
                        file, SqlStatements.text(PostgresqlSchema.class.getResourceAsStream("migrations/" + file))))
                .toList());
    }

    static String table(String schema) {
        return Statements.in(schema, TABLE);
    }

    private static Map<Integer, String> checksums(int format) {
        Map<Integer, String> applied = new TreeMap<>();
        for (Migration migration : all().pending(Map.of(), "")) {
            if (migration.version() <= format) {
                applied.put(migration.version(), migration.checksum());
            }
        }
        return applied;
    }
}
