package dev.idem.cli.approval;

import dev.idem.cli.syntax.Command;
import dev.idem.cli.syntax.Option;
import dev.idem.cli.syntax.Options;
import dev.idem.cli.syntax.Syntax;
import dev.idem.cli.syntax.Syntax.Trait;
import dev.idem.command.Danger;

/** {@code idem deny}. */
public final class DenyCommand {
    private static final Option WHY =
            Option.of("--why", "TEXT", "the reason, which the agent is told").asNeeded();

    public static final Command COMMAND = Syntax.of("deny", "refuses a waiting call of a tool, and tells the agent why")
            .takes("KEY")
            .is(Danger.MUTATING, Trait.READS_ALL)
            .has(WHY, Deciding.BY)
            .has(Options.ONCE)
            .has(Options.LEDGER_OUTPUT)
            .ends(3, 4, 5, 6, 12)
            .does((around, arguments) -> new Deciding(around, arguments, false, arguments.value(WHY)).run());

    private DenyCommand() {}
}
