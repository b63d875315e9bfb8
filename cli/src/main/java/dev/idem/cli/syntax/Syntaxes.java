package dev.idem.cli.syntax;

import dev.idem.cli.envelope.Exit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The commands and their options: the one table that parser and help are made of. */
public final class Syntaxes {
    /** Not by environment: {@code IDEM_KEY} is what a command is told about the call around it. */
    public static final Option KEY = Option.of("--key", "K", null, "names this piece of work: 1-255 visible ASCII characters")
            .withAlias("--idempotency-key")
            .withoutEnv();

    public static final Option SCOPE =
            Option.of("--scope", "S", "default", "where keys are unique: a task, a tenant, a project");
    public static final Option LEDGER = Option.of(
            "--ledger",
            "URL",
            null,
            "where entries live, e.g. sqlite:/path/idem.db; without it idem/idem.db in $XDG_STATE_HOME or"
                    + " ~/.local/state");
    /** By the environment only where the keys are, never the keys: a command that is run inherits it. */
    public static final Option SEAL_KEYS = Option.of(
                    "--seal-keys",
                    "FILE",
                    null,
                    "seals what is recorded with the first key in this file, and opens it with any of them")
            .withEnv("IDEM_SEAL_KEY_FILE");

    public static final Option JSON = Option.flag("--json", "writes exactly one JSON object to stdout");

    public static final Option TTL = Option.of("--ttl", "TIME", "7d", "how long the result answers duplicates");
    public static final Option LEASE =
            Option.of("--lease", "TIME", "60s", "how long idem is trusted without a sign of life; it renews in time");
    public static final Option WAIT =
            Option.of("--wait", "TIME", "10s", "how long to wait for a running duplicate; 0 to be refused at once");
    public static final Option TIMEOUT = Option.of(
            "--timeout", "TIME", "5m", "ends the command's process group after this time; 0 to let it run on");
    public static final Option SIDE_EFFECT = Option.of(
            "--side-effect",
            "CLASS",
            "write",
            "write, idempotent (safe to run again: doubt is no obstacle) or destructive (never waits, never again)");
    public static final Option ON_DOUBT = Option.of(
            "--on-doubt", "WHAT", "halt", "halt, or rerun when running it twice does no harm; what to do with doubt");
    public static final Option ON_NONZERO = Option.of(
            "--on-nonzero",
            "WHAT",
            "doubt",
            "doubt; rerun: every exit from 1 to 127 means that nothing happened; keep: it is a result like any other");
    public static final Option FAILED_EXITS = Option.of(
            "--failed-exits", "LIST", null, "the exits that mean that nothing happened, e.g. 1,2,64-78; below 128");
    public static final Option FINGERPRINT = Option.of(
            "--fingerprint",
            "LIST",
            null,
            "what guards the key beside the command's words: cwd, stdin, env:NAME, separated by commas");
    public static final Option DRY_RUN = Option.flag("--dry-run", "tells what would happen; claims nothing, runs nothing");
    public static final Option STATUS_FILE =
            Option.of("--status-file", "PATH", null, "gets the JSON object, while stdout stays the command's");

    public static final Option OPERATION = Option.of("--operation", "NAME", "run", "the operation of the entry")
            .withoutEnv();
    public static final Option AS = Option.of("--as", "WORD", null, "complete: it happened; failed: it did not")
            .withoutEnv();
    public static final Option STATE = Option.of(
                    "--state", "WORD", null, "only in_progress, complete, failed, in_doubt or expired entries")
            .withoutEnv();
    public static final Option ONLY_SCOPE =
            Option.of("--scope", "S", null, "only entries of this scope").withoutEnv();
    public static final Option LIMIT =
            Option.of("--limit", "N", "50", "how many entries at most, 1-1000").withoutEnv();

    public static final Syntax RUN = new Syntax(
            "run",
            "runs a command once; every later call with the same key gets the same output and exit code",
            null,
            true,
            List.of(
                    KEY,
                    SCOPE,
                    TTL,
                    LEASE,
                    WAIT,
                    TIMEOUT,
                    SIDE_EFFECT,
                    ON_DOUBT,
                    ON_NONZERO,
                    FAILED_EXITS,
                    FINGERPRINT,
                    DRY_RUN,
                    JSON,
                    STATUS_FILE,
                    LEDGER,
                    SEAL_KEYS),
            """
            TIME is a number and a unit: 500ms, 60s, 5m, 2h, 7d.
            The command is told IDEM_KEY, IDEM_FENCE and IDEM_ATTEMPT.

            A non-zero exit does not prove that nothing happened, so by default it leaves the key in doubt, and an
            entry in doubt is never run again by itself. Exits of 128 and above are always in doubt.

            Exit codes: the command's own, or
              80  in flight: another call still runs it     81  in doubt: nobody knows whether it happened
              82  the key was used for something else       83  the ledger can't be used; the command did not run
             124  time-out (in doubt)                 126, 127  the command can't be started; nothing is recorded
               2  wrong arguments; nothing was run           1  it is complete, but its result can't be replayed
            """);

    public static final Syntax SHOW = new Syntax(
            "show",
            "shows what is known about a key; never shows the recorded output",
            "KEY",
            false,
            List.of(SCOPE, OPERATION, JSON, LEDGER, SEAL_KEYS),
            "Exit codes: 0; 2 wrong arguments; 5 no such entry; 12 the ledger can't be used.\n");
    public static final Syntax LS = new Syntax(
            "ls",
            "lists entries, the newest claim first",
            null,
            false,
            List.of(STATE, ONLY_SCOPE, LIMIT, JSON, LEDGER, SEAL_KEYS),
            "Exit codes: 0; 2 wrong arguments; 12 the ledger can't be used.\n");
    public static final Syntax FORGET = new Syntax(
            "forget",
            "removes an entry, so that its key may run again",
            "KEY",
            false,
            List.of(SCOPE, OPERATION, DRY_RUN, JSON, LEDGER),
            """
            Exit codes: 0; 2 wrong arguments; 4 in flight; 5 no such entry; 6 it has just changed;
            12 the ledger can't be used.
            """);
    public static final Syntax RESOLVE = new Syntax(
            "resolve",
            "settles an entry in doubt, once somebody has found out whether it happened",
            "KEY",
            false,
            List.of(AS, SCOPE, OPERATION, TTL, DRY_RUN, JSON, LEDGER, SEAL_KEYS),
            """
            As complete: duplicates get exit code 0 and no output, since the output of the lost run is not known.
            As failed: the next call runs the command again.

            Exit codes: 0; 2 wrong arguments; 4 in flight; 5 no such entry; 6 it is complete or has just changed;
            12 the ledger can't be used.
            """);

    public static final List<Syntax> ALL = List.of(RUN, SHOW, LS, FORGET, RESOLVE);

    private Syntaxes() {}

    public static @Nullable Syntax find(String name) {
        for (Syntax syntax : ALL) {
            if (syntax.name().equals(name)) {
                return syntax;
            }
        }
        return null;
    }
}
