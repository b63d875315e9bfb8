package dev.idem.cli.syntax;

import dev.idem.command.Danger;

/** The table of {@code idem batch}. */
public final class BatchSyntax {
    public static final Option NAME = Option.of(
                    "--key", "K", "names the batch: the same lines under the same name are the same work")
            .withAlias("--idempotency-key");
    public static final Option INPUT = Option.of("--input", "FILE", "-", "where the lines are; - is stdin");
    public static final Option STOP_AFTER = Option.of(
            "--stop-after", "N", "0", "gives up after so many lines that failed or are in doubt; 0 for never");

    public static final Option JOBS = Option.of("--jobs", "N", "1", "how many commands run at the same time, 1-64");

    public static final Syntax BATCH = Syntax.of(
                    "batch",
                    "runs a command once for each line of stdin; after an interruption the same call does the rest")
            .running()
            .is(Danger.MUTATING)
            .has(NAME, Syntaxes.SCOPE, INPUT, JOBS, STOP_AFTER, Syntaxes.TTL, Syntaxes.LEASE, Syntaxes.WAIT)
            .has(Syntaxes.TIMEOUT, Syntaxes.SIDE_EFFECT, Syntaxes.ON_DOUBT, Syntaxes.PROBE)
            .has(
                    Syntaxes.PROBE_GRACE,
                    Syntaxes.ON_NONZERO,
                    Syntaxes.FAILED_EXITS,
                    Syntaxes.RETRY,
                    Syntaxes.BACKOFF,
                    Syntaxes.LABEL,
                    Syntaxes.RUN_ID)
            .has(Syntaxes.NO_KEEP_COMMAND, Syntaxes.DRY_RUN)
            .has(Syntaxes.LEDGER_OUTPUT)
            .ends(3, 12, 126, 127)
            .explained("""
            {} in an argument of the command stands for the line; without any, the line is the last argument.
            Each line is an entry of its own under the operation batch. A repeated line is two items.
            Lines are run as they come, in their order unless there are several --jobs.
            The output of the commands is recorded, not shown; progress is on stderr.
            """);

    private BatchSyntax() {}
}
