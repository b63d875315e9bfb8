package dev.idem.cli.syntax;

import dev.idem.command.Danger;
import java.util.List;

/** The tables of the commands for approvals. */
public final class ApprovalSyntaxes {
    public static final Option BY = Option.of("--by", "WHO", "who decides; without it, the name of the user");
    public static final Option WHY =
            Option.of("--why", "TEXT", "the reason, which the agent is told").asNeeded();
    public static final Option VALID_FOR =
            Option.of("--valid-for", "TIME", "1h", "how long the approval may be used, once");

    public static final Syntax APPROVE = Syntax.of(
                    "approve", "approves a waiting call of a tool, once; without KEY it lists the waiting calls")
            .takes("[KEY]")
            .is(Danger.MUTATING)
            .has(BY, VALID_FOR)
            .has(Syntaxes.ONCE)
            .has(Syntaxes.LEDGER_OUTPUT)
            .ends(3, 4, 5, 6, 12)
            .explained("The approval holds for exactly the arguments that are shown. A decision is final.\n");
    public static final Syntax DENY = Syntax.of("deny", "refuses a waiting call of a tool, and tells the agent why")
            .takes("KEY")
            .is(Danger.MUTATING)
            .has(WHY, BY)
            .has(Syntaxes.ONCE)
            .has(Syntaxes.LEDGER_OUTPUT)
            .ends(3, 4, 5, 6, 12);

    static final List<Syntax> ALL = List.of(APPROVE, DENY);

    private ApprovalSyntaxes() {}
}
