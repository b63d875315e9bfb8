package dev.idem.cli.entry;

import dev.idem.Address;
import dev.idem.Entry;
import dev.idem.LedgerException;
import dev.idem.cli.around.LedgerPlace;
import dev.idem.cli.around.Surroundings;
import dev.idem.cli.syntax.Arguments;
import dev.idem.cli.syntax.Syntaxes;
import dev.idem.command.Answer;
import dev.idem.command.ExitCode;
import dev.idem.command.Shell;
import dev.idem.spi.Browsable;
import dev.idem.spi.Ledger;
import dev.idem.spi.Query;
import java.util.ArrayList;
import java.util.List;

/** The answer for a missing entry: where else in the ledger its key is, or how to search. */
record Elsewhere(Surroundings around, Arguments arguments, Address wanted) {
    private static final int MOST_NAMED = 3;

    Answer answer(Ledger ledger) {
        List<Address> others = others(ledger);
        String missing = "there is no entry " + wanted;
        if (others.isEmpty()) {
            String list = Suggested.line(around.program(), arguments, "ls", Syntaxes.SCOPE.name(), wanted.scope());
            return Answer.no(
                            ExitCode.NOT_FOUND,
                            "NOT_FOUND",
                            missing + " in the ledger " + LedgerPlace.shown(arguments, around.env()))
                    .fix("check the key, the scope and the operation")
                    .fixCommand(list)
                    .line("check the key, the scope and the operation; what there is: " + list);
        }
        List<String> there = new ArrayList<>();
        others.forEach(other -> there.add(other + ": add " + Shell.line(options(other))));
        String add = "there is " + String.join("; there is ", there);
        String look = Suggested.look(
                around, arguments, arguments.isFor(Syntaxes.WHY) ? Syntaxes.WHY : Syntaxes.SHOW, others.get(0));
        return Answer.no(ExitCode.NOT_FOUND, "NOT_FOUND", missing + "; " + add)
                .fix("name the operation and the scope of the entry that is meant")
                .fixCommand(look)
                .suggestion(add)
                .line("look at it: " + look);
    }

    /** The newest entries with the same key under another operation or scope. */
    private List<Address> others(Ledger ledger) {
        try {
            return ledger.as(Browsable.class)
                    .map(browsable ->
                            browsable.browse(Query.all().withKey(wanted.key()).withLimit(MOST_NAMED)))
                    .map(page -> page.entries().stream().map(Entry::address).toList())
                    .orElse(List.of());
        } catch (LedgerException e) {
            // The answer is complete without it: there is no such entry.
            return List.of();
        }
    }

    private List<String> options(Address other) {
        List<String> words = new ArrayList<>();
        if (!other.operation().equals(wanted.operation())) {
            words.addAll(List.of(Syntaxes.OPERATION.name(), other.operation()));
        }
        if (!other.scope().equals(wanted.scope())) {
            words.addAll(List.of(Syntaxes.SCOPE.name(), other.scope()));
        }
        return words;
    }
}
