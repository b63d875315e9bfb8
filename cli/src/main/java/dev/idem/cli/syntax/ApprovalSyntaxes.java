package dev.idem.cli.syntax;

import java.util.List;

/** The tables of the commands for people who are asked before a tool acts. */
public final class ApprovalSyntaxes {
    public static final Option BY = Option.of("--by", "WHO", null, "who decides; without it, the name of the user")
            .withoutEnv();
    public static final Option WHY = Option.of("--why", "TEXT", null, "the reason, which the agent is told")
            .withoutEnv()
            .asNeeded();
    public static final Option VALID_FOR = Option.of(
                    "--valid-for", "TIME", "1h", "how long the approval may be used, once")
            .withoutEnv();

    private static final List<Integer> EXITS = List.of(0, 1, 2, 3, 4, 5, 6, 12, 130, 143);

    public static final Syntax APPROVE = new Syntax(
            "approve",
            "lets a call that waits for a person's word be made, once; without KEY it lists what waits",
            List.of("[KEY]"),
            false,
            false,
            Danger.MUTATING,
            List.of(
                    BY,
                    VALID_FOR,
                    Syntaxes.IDEMPOTENCY_KEY,
                    Syntaxes.DRY_RUN,
                    Syntaxes.JSON,
                    Syntaxes.TEXT,
                    Syntaxes.JSON_SHAPE,
                    Syntaxes.LEDGER,
                    Syntaxes.SEAL_KEYS),
            EXITS,
            "The approval holds for exactly the arguments that are shown. What was decided stays decided.\n");
    public static final Syntax DENY = new Syntax(
            "deny",
            "refuses a call that waits for a person's word, and tells the agent why",
            List.of("KEY"),
            false,
            false,
            Danger.MUTATING,
            List.of(
                    WHY,
                    BY,
                    Syntaxes.IDEMPOTENCY_KEY,
                    Syntaxes.DRY_RUN,
                    Syntaxes.JSON,
                    Syntaxes.TEXT,
                    Syntaxes.JSON_SHAPE,
                    Syntaxes.LEDGER,
                    Syntaxes.SEAL_KEYS),
            EXITS,
            "");

    static final List<Syntax> ALL = List.of(APPROVE, DENY);

    private ApprovalSyntaxes() {}
}
