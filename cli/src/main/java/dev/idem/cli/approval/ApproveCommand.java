package dev.idem.cli.approval;

import dev.idem.cli.syntax.Command;
import dev.idem.cli.syntax.Option;
import dev.idem.cli.syntax.Options;
import dev.idem.cli.syntax.Syntax;
import dev.idem.cli.syntax.Syntax.Trait;
import dev.idem.command.Danger;

/** {@code idem approve}. */
public final class ApproveCommand {
    static final Option VALID_FOR = Option.of("--valid-for", "TIME", "1h", "how long the approval may be used, once");

    private static final Option WHY = Option.of("--why", "TEXT", "the reason, which is kept with the decision");

    public static final Command COMMAND = Syntax.of(
                    "approve", "approves a waiting call of a tool, once; without KEY it lists the waiting calls")
            .takes("[KEY]")
            .is(Danger.MUTATING, Trait.READS_ALL)
            .has(WHY, Deciding.BY, VALID_FOR)
            .has(Options.ONCE)
            .has(Options.LEDGER_OUTPUT)
            .ends(3, 4, 5, 6, 12)
            .explained("The approval holds for exactly the arguments that are shown. A decision is final.\n")
            .does((around, arguments) -> new Deciding(around, arguments, true, arguments.find(WHY)).run());

    private ApproveCommand() {}
}
