package dev.idem.cli.entry;

import dev.idem.Address;
import dev.idem.Entry;
import dev.idem.LedgerException;
import dev.idem.cli.around.Surroundings;
import dev.idem.cli.syntax.Arguments;
import dev.idem.cli.syntax.Options;
import dev.idem.command.Answer;
import dev.idem.command.ExitCode;
import dev.idem.command.Shell;
import dev.idem.spi.Ledger;
import dev.idem.spi.browse.Browsable;
import dev.idem.spi.browse.Page;
import dev.idem.spi.browse.Query;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The answer for a missing entry: where else in the ledger its key is, or how to search. */
record Elsewhere(Surroundings around, Arguments arguments, Address wanted) {
    private static final int MOST_NAMED = 3;
    private static final String CHECK =
            "check the key, the scope, the operation, and the ledger (" + LedgerPlace.HOW + ")";

    Answer answer(Ledger ledger) {
        List<Address> others = others(ledger);
        String missing = "there is no entry " + wanted + " in the ledger " + LedgerPlace.shown(arguments, around.env());
        if (others.isEmpty()) {
            String list = Suggested.line(around.program(), arguments, "ls", Options.SCOPE.name(), wanted.scope());
            return Answer.no(ExitCode.NOT_FOUND, "NOT_FOUND", missing)
                    .fix(CHECK)
                    .fixCommand(list)
                    .line(CHECK + "; what there is: " + list);
        }
        List<String> there = new ArrayList<>();
        others.forEach(other -> there.add(other + ": add " + Shell.line(options(other))));
        String add = "there is " + String.join("; there is ", there);
        String look = Suggested.look(
                around, arguments, arguments.syntax().name().equals("why") ? "why" : "show", others.get(0));
        return Answer.no(ExitCode.NOT_FOUND, "NOT_FOUND", missing + "; " + add)
                .fix("name the operation and the scope of the entry that is meant")
                .fixCommand(look)
                .suggestion(add)
                .line("look at it: " + look);
    }

    /** The only entry with the key in any scope and under any operation, except those that the line names. */
    Optional<Entry> only(Ledger ledger) {
        Query query = Query.all()
                .withKey(wanted.key())
                .withScope(arguments.onLine(Options.SCOPE) ? wanted.scope() : null)
                .withOperation(arguments.onLine(Options.OPERATION) ? wanted.operation() : null);
        List<Entry> found = found(ledger, query);
        return found.size() == 1 ? Optional.of(found.get(0)) : Optional.empty();
    }

    /** The newest entries with the same key under another operation or scope. */
    private List<Address> others(Ledger ledger) {
        return found(ledger, Query.all().withKey(wanted.key())).stream()
                .map(Entry::address)
                .toList();
    }

    private static List<Entry> found(Ledger ledger, Query query) {
        try {
            return ledger.as(Browsable.class)
                    .map(browsable -> browsable.browse(query.withLimit(MOST_NAMED)))
                    // An entry that can't be read may be the one that is meant.
                    .filter(page -> page.unreadable().isEmpty())
                    .map(Page::entries)
                    .orElse(List.of());
        } catch (LedgerException e) {
            // The answer is complete without it: there is no such entry.
            return List.of();
        }
    }

    private List<String> options(Address other) {
        List<String> words = new ArrayList<>();
        if (!other.operation().equals(wanted.operation())) {
            words.addAll(List.of(Options.OPERATION.name(), other.operation()));
        }
        if (!other.scope().equals(wanted.scope())) {
            words.addAll(List.of(Options.SCOPE.name(), other.scope()));
        }
        return words;
    }
}
