package dev.idem.cli.upkeep;

import dev.idem.cli.around.Surroundings;
import dev.idem.cli.entry.LedgerPlace;
import dev.idem.cli.syntax.Arguments;
import dev.idem.cli.syntax.Command;
import dev.idem.cli.syntax.Option;
import dev.idem.cli.syntax.Options;
import dev.idem.cli.syntax.Syntax;
import dev.idem.cli.syntax.Syntax.Trait;
import dev.idem.cli.syntax.UsageException;
import dev.idem.command.Answer;
import dev.idem.command.Danger;
import dev.idem.postgresql.PostgresqlSchema;
import dev.idem.spi.Ledger;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

/** {@code idem migrate}: opens a ledger, which updates its format. */
public record MigrateCommand(Surroundings around, Arguments arguments) {
    private static final Option PRINT = Option.flag(
                    "--print", "prints the SQL for another person to run; opens nothing")
            .asDocument();
    private static final Option SCHEMA =
            Option.of("--schema", "NAME", "idem", "the schema the printed SQL is for, on PostgreSQL");

    public static final Command COMMAND = Syntax.of("migrate", "brings the ledger's tables up to date")
            .is(Danger.MUTATING, Trait.RESUMES)
            .has(PRINT, SCHEMA)
            .has(Options.ONCE)
            .has(Options.OUTPUT, Options.LEDGER)
            .ends(3, 4, 6, 12)
            .explained("Every other command also does this; this command does nothing else.\n")
            .does((around, arguments) -> new MigrateCommand(around, arguments).run());

    private static final String SQLITE = "sqlite:";
    private static final String POSTGRESQL = "postgresql:";
    private static final String SQLITE_TABLES = "/dev/idem/sqlite/migrations/001-entries.sql";

    private Answer run() throws IOException {
        String given = arguments.find(Options.LEDGER);
        String url = given == null ? SQLITE : given;
        return arguments.flag(PRINT) ? print(url) : migrate(url);
    }

    private Answer print(String url) throws IOException {
        String sql;
        if (url.startsWith(POSTGRESQL)) {
            sql = PostgresqlSchema.sql(arguments.value(SCHEMA));
        } else if (url.startsWith(SQLITE)) {
            try (InputStream in = Objects.requireNonNull(MigrateCommand.class.getResourceAsStream(SQLITE_TABLES))) {
                sql = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            }
        } else {
            throw new UsageException("this ledger has no tables, so there is no SQL to print");
        }
        return Answer.ok("noop").with("sql", sql).text(sql);
    }

    private Answer migrate(String url) {
        boolean isNew = url.startsWith(SQLITE) && !exists(LedgerPlace.url(arguments, around.env()));
        if (arguments.flag(Options.DRY_RUN)) {
            return Answer.ok(isNew ? "would_create" : "noop").text(isNew ? "would make it\n" : "would only check it\n");
        }
        try (Ledger ledger = LedgerPlace.open(around, arguments)) {
            // A server does not report whether this opening changed its tables.
            return Answer.ok(isNew ? "created" : url.startsWith(POSTGRESQL) ? "updated" : "noop")
                    .with("ledger", ledger.describe())
                    .with("reason", "its tables are up to date")
                    .text("up to date: " + ledger.describe() + "\n");
        }
    }

    private boolean exists(String url) {
        Path file = LedgerPlace.file(url, around.directory());
        return file != null && Files.exists(file);
    }
}
