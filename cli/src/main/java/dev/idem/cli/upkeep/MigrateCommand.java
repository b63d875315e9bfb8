package dev.idem.cli.upkeep;

import dev.idem.cli.around.LedgerPlace;
import dev.idem.cli.around.Surroundings;
import dev.idem.cli.syntax.Arguments;
import dev.idem.cli.syntax.Syntaxes;
import dev.idem.cli.syntax.UpkeepSyntaxes;
import dev.idem.cli.syntax.UsageException;
import dev.idem.command.Answer;
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
    private static final String SQLITE = "sqlite:";
    private static final String POSTGRESQL = "postgresql:";
    private static final String SQLITE_TABLES = "/dev/idem/sqlite/migrations/001-entries.sql";

    public Answer run() throws IOException {
        String given = arguments.find(Syntaxes.LEDGER);
        String url = given == null ? SQLITE : given;
        return arguments.flag(UpkeepSyntaxes.PRINT) ? print(url) : migrate(url);
    }

    private Answer print(String url) throws IOException {
        String sql;
        if (url.startsWith(POSTGRESQL)) {
            sql = PostgresqlSchema.sql(arguments.value(UpkeepSyntaxes.SCHEMA));
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
        if (arguments.flag(Syntaxes.DRY_RUN)) {
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
