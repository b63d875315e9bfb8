package dev.idem.cli.entry;

import dev.idem.Entry;
import dev.idem.cli.around.Surroundings;
import dev.idem.cli.syntax.Arguments;
import dev.idem.cli.syntax.Command;
import dev.idem.cli.syntax.Option;
import dev.idem.cli.syntax.Options;
import dev.idem.cli.syntax.Syntax;
import dev.idem.cli.syntax.Syntax.Trait;
import dev.idem.command.Answer;

/** {@code idem show}. */
public final class ShowCommand {
    private static final Option WITH_RESULT =
            Option.flag("--with-result", "shows the recorded result too").withAlias("--result");

    public static final Command COMMAND = Syntax.of(
                    "show", "shows what is known about a key, and the recorded output only with --with-result")
            .takes("KEY")
            .is(Trait.LOOKS)
            .has(WITH_RESULT, Options.SCOPE, Options.OPERATION)
            .has(Options.LEDGER_OUTPUT)
            .ends(5, 12)
            .does((around, arguments) ->
                    NamedEntry.of(around, arguments).shown((ledger, entry) -> answer(around, arguments, entry)));

    private ShowCommand() {}

    private static Answer answer(Surroundings around, Arguments arguments, Entry entry) {
        Answer answer = Answer.ok(EntryFields.entry(entry)).text(EntryText.of(entry, around.host(), around.style()));
        return arguments.flag(WITH_RESULT) ? ShownResult.added(answer, entry) : answer;
    }
}
