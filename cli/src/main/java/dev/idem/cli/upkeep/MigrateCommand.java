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
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** {@code idem migrate}: a ledger is brought up to date by opening it. */
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
        Map<String, @Nullable Object> data = new LinkedHashMap<>();
        data.put("effect", "noop");
        data.put("sql", sql);
        return Answer.ok(data).text(sql);
    }

    private Answer migrate(String url) {
        boolean isNew = url.startsWith(SQLITE) && !Files.exists(file(LedgerPlace.url(arguments, around.env())));
        Map<String, @Nullable Object> data = new LinkedHashMap<>();
        if (arguments.flag(Syntaxes.DRY_RUN)) {
            data.put("effect", isNew ? "would_create" : "noop");
            return Answer.ok(data).text(isNew ? "would make it\n" : "would only check it\n");
        }
        try (Ledger ledger = LedgerPlace.open(around, arguments)) {
            // A server does not say whether it was this opening that changed its tables.
            data.put("effect", isNew ? "created" : url.startsWith(POSTGRESQL) ? "updated" : "noop");
            data.put("ledger", ledger.describe());
            data.put("reason", "its tables are up to date");
            return Answer.ok(data).text("up to date: " + ledger.describe() + "\n");
        }
    }

    private Path file(String url) {
        int end = url.indexOf('?');
        return around.directory().resolve(url.substring(SQLITE.length(), end < 0 ? url.length() : end));
    }
}
