package dev.idem.cli.upkeep;

import dev.idem.Entry;
import dev.idem.Json;
import dev.idem.cli.around.Surroundings;
import dev.idem.cli.entry.LedgerPlace;
import dev.idem.cli.entry.Queries;
import dev.idem.cli.syntax.Arguments;
import dev.idem.cli.syntax.Command;
import dev.idem.cli.syntax.Option;
import dev.idem.cli.syntax.Options;
import dev.idem.cli.syntax.Syntax;
import dev.idem.cli.syntax.Syntax.Trait;
import dev.idem.command.Answer;
import dev.idem.command.ExitCode;
import dev.idem.spi.Ledger;
import dev.idem.spi.browse.Browsable;
import dev.idem.spi.browse.Page;
import dev.idem.spi.browse.Query;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** {@code idem export}: page by page, so that a large ledger does not have to fit into memory. */
public record ExportCommand(Surroundings around, Arguments arguments) {
    private static final Option PAYLOADS =
            Option.flag("--with-results", "also writes the results, which may hold secrets");

    public static final Command COMMAND = Syntax.of("export", "writes entries as lines of JSON")
            .is(Trait.LOOKS, Trait.STREAMS)
            .has(Queries.STATE, Queries.ONLY_SCOPE, Queries.ONLY_OPERATION, PAYLOADS)
            .has(Options.LEDGER_OUTPUT)
            .ends(12)
            .explained("""
            The last line into a pipe is the response envelope with their number, so that an incomplete file
            is noticed; with --text it is left out. With --json one object with all of them in
            data.entries: for small ledgers.
            """)
            .does((around, arguments) -> new ExportCommand(around, arguments).run());

    private static final int PAGE = 500;

    private Answer run() {
        boolean json = arguments.flag(Options.JSON);
        boolean results = arguments.flag(PAYLOADS);
        List<Object> collected = new ArrayList<>();
        List<Page.Unreadable> unreadable = new ArrayList<>();
        long count = 0;
        try (Ledger ledger = LedgerPlace.open(around, arguments)) {
            Browsable browsable = ledger.as(Browsable.class).orElse(null);
            if (browsable == null) {
                return Queries.notBrowsable(ledger);
            }
            Query query = Queries.of(arguments, around.host().now().wall()).withLimit(PAGE);
            String next = "";
            while (next != null && around.signals().exitCode() == null) {
                Page page = browsable.browse(next.isEmpty() ? query : query.withAfter(next));
                for (Entry entry : page.entries()) {
                    Map<String, @Nullable Object> line = EntryLine.of(entry, results);
                    count++;
                    if (json) {
                        collected.add(line);
                    } else if (around.print(Json.write(line) + "\n") != null) {
                        return Answer.no(
                                ExitCode.PARTIAL_FAILURE,
                                "STDOUT",
                                "stdout can't be written to: the export is not whole");
                    }
                }
                unreadable.addAll(page.unreadable());
                next = page.next();
            }
        }
        Answer answer = unreadable.isEmpty()
                ? Answer.ok("noop")
                : Answer.no(
                        ExitCode.PARTIAL_FAILURE,
                        "UNREADABLE",
                        "the export is not whole: entries that can't be read: " + unreadable.size());
        Queries.tellUnreadable(answer, unreadable);
        answer.with("effect", "noop").with("count", count);
        if (json) {
            answer.with("entries", collected);
        }
        return around.style().progress() ? answer.line(count + " entries") : answer;
    }
}
