package dev.idem.cli.entry;

import dev.idem.Address;
import dev.idem.Entry;
import dev.idem.cli.around.Surroundings;
import dev.idem.cli.syntax.Arguments;
import dev.idem.cli.syntax.Command;
import dev.idem.cli.syntax.Options;
import dev.idem.cli.syntax.Syntax;
import dev.idem.cli.syntax.Syntax.Trait;
import dev.idem.command.Answer;
import dev.idem.spi.Ledger;

/** {@code idem why}. */
public final class WhyCommand {
    public static final Command COMMAND = Syntax.of(
                    "why", "explains a key in sentences: who claimed it, what happened, what you can do")
            .takes("KEY")
            .is(Trait.LOOKS)
            .has(Options.SCOPE, Options.OPERATION)
            .has(Options.LEDGER_OUTPUT)
            .ends(5, 12)
            .does(WhyCommand::run);

    private WhyCommand() {}

    private static Answer run(Surroundings around, Arguments arguments) {
        NamedEntry named = NamedEntry.of(around, arguments);
        return named.shown((ledger, entry) -> answer(named, ledger, entry));
    }

    private static Answer answer(NamedEntry named, Ledger ledger, Entry entry) {
        Address at = entry.address();
        Arguments found = at.equals(named.address())
                ? named.arguments()
                : named.arguments().with(Options.SCOPE, at.scope()).with(Options.OPERATION, at.operation());
        Suggested suggested = new Suggested(named.around().program(), found, at.key());
        return new Story(entry, named.around(), suggested).answer(ledger);
    }
}
