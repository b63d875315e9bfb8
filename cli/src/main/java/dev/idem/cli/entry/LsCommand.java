package dev.idem.cli.entry;

import dev.idem.Entry;
import dev.idem.State;
import dev.idem.cli.around.Surroundings;
import dev.idem.cli.syntax.Arguments;
import dev.idem.cli.syntax.Command;
import dev.idem.cli.syntax.Option;
import dev.idem.cli.syntax.Options;
import dev.idem.cli.syntax.Syntax;
import dev.idem.cli.syntax.Syntax.Trait;
import dev.idem.cli.syntax.UsageException;
import dev.idem.command.Answer;
import dev.idem.server.Sieve;
import dev.idem.spi.Ledger;
import dev.idem.spi.browse.Browsable;
import dev.idem.spi.browse.Match;
import dev.idem.spi.browse.Page;
import dev.idem.spi.browse.Query;
import java.util.List;
import java.util.Set;

/** {@code idem ls}. */
public final class LsCommand {
    private static final Option DECIDED = Option.flag(
            "--decided", "what people have decided instead, the newest first: doubts, approvals and denials");
    private static final Option SCOPE =
            Option.of("--scope", "S", "only entries of this scope, or of those that begin so: 'acme/*'");
    private static final Option BY =
            Option.of("--by", "NAME", "only what this person, token or user has resolved, or allowed in an approval");

    /** What a decision does not have. */
    private static final List<Option> ENTRIES_ONLY =
            List.of(Queries.ONLY_KEY, Queries.STATE, Queries.TRIES, Queries.MESSAGE);

    public static final Command COMMAND = Syntax.of("ls", "lists entries, the newest claim first")
            .is(Trait.LOOKS)
            .has(Queries.STATE, SCOPE, Queries.ONLY_OPERATION, Queries.ONLY_KEY, Queries.ONLY_LABEL)
            .has(Queries.OLDER_THAN, Queries.NEWER_THAN, Queries.TRIES, Queries.MESSAGE, BY)
            .has(Queries.LIMIT, Queries.CURSOR, DECIDED)
            .has(Options.LEDGER_OUTPUT)
            .ends(12)
            .does(LsCommand::run);

    private LsCommand() {}

    private static Answer run(Surroundings around, Arguments arguments) {
        for (Option option : ENTRIES_ONLY) {
            if (arguments.flag(DECIDED) && arguments.flag(option)) {
                throw new UsageException("--decided lists decisions, and goes without " + option.name());
            }
        }
        String scope = arguments.find(SCOPE);
        String by = arguments.find(BY);
        Query all = Queries.of(arguments, around.host().now().wall());
        Query query = scope != null && scope.endsWith("*")
                ? all.withScopes(List.of(Match.prefix(scope.substring(0, scope.length() - 1))))
                : all;
        try (Ledger ledger = LedgerPlace.open(around, arguments)) {
            Browsable browsable = ledger.as(Browsable.class).orElse(null);
            if (browsable == null) {
                return Queries.notBrowsable(ledger);
            } else if (arguments.flag(DECIDED)) {
                return Decisions.list(ledger, browsable, query, by, around, arguments);
            }
            Sieve sieve = Queries.sieve(arguments, by, by == null ? Set.of() : Decisions.decidedBy(by, ledger));
            return answer(
                    around,
                    arguments,
                    Listing.of(browsable, query, arguments.find(Queries.ONLY_KEY), sieve, around.signals()));
        }
    }

    private static Answer answer(Surroundings around, Arguments arguments, Page page) {
        Answer answer = Answer.ok("noop")
                .with("entries", page.entries().stream().map(EntryFields::entry).toList())
                .with("more", page.next() != null)
                .text(EntryText.table(page.entries(), around));
        Queries.tellUnreadable(answer, page.unreadable());
        if (around.style().people() && page.entries().isEmpty()) {
            answer.line("no such entry in the ledger " + LedgerPlace.shown(arguments, around.env()) + " ("
                    + LedgerPlace.HOW + ")");
        } else if (around.style().people()) {
            // The table may have left out or cut what the next command needs.
            Entry one = page.entries().stream()
                    .filter(entry -> entry.state() == State.IN_DOUBT)
                    .findFirst()
                    .orElse(page.entries().get(0));
            answer.line("look at one: " + Suggested.look(around, arguments, "why", one.address()));
        }
        String next = page.next();
        return next == null
                ? answer
                : answer.meta("cursor", next).line("there are more; raise --limit, or go on with --cursor " + next);
    }
}
