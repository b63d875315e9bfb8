package dev.idem.cli.upkeep;

import dev.idem.Entry;
import dev.idem.Json;
import dev.idem.cli.around.LedgerPlace;
import dev.idem.cli.around.Surroundings;
import dev.idem.cli.entry.Queries;
import dev.idem.cli.syntax.Arguments;
import dev.idem.cli.syntax.Syntaxes;
import dev.idem.cli.syntax.UpkeepSyntaxes;
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
    private static final int PAGE = 500;

    public Answer run() {
        boolean json = arguments.flag(Syntaxes.JSON);
        boolean results = arguments.flag(UpkeepSyntaxes.PAYLOADS);
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
