package dev.idem.cli.syntax;

import java.util.List;

/** The options that many commands share. Other options stand in the class that reads them. */
public final class Options {
    public static final Option SCOPE = Option.of(
                    "--scope", "S", "default", "where keys are unique: a task, a tenant, a project")
            .byEnv();
    public static final Option OPERATION = Option.of("--operation", "NAME", "run", "the operation of the entry");
    public static final Option LEDGER = Option.of(
                    "--ledger",
                    "URL",
                    "where entries live, e.g. sqlite:/path/idem.db; without it idem/idem.db in $XDG_STATE_HOME or"
                            + " ~/.local/state")
            .byEnv();
    /** The environment may name the file of keys, never the keys: a command that is run inherits it. */
    public static final Option SEAL_KEYS = Option.of(
                    "--seal-keys",
                    "FILE",
                    "seals recorded results with the first key in this file, and opens them with any of its keys")
            .byEnv("IDEM_SEAL_KEY_FILE");

    public static final Option JSON =
            Option.flag("--json", "writes exactly one JSON object to stdout").byEnv();
    public static final Option TEXT =
            Option.flag("--text", "writes for people even into a pipe").byEnv();
    public static final Option JSON_SHAPE = Option.of(
                    "--json-shape", "SHAPE", "envelope", "flat has effect, reason and changes at the top level")
            .withWords("envelope", "flat")
            .byEnv();
    public static final Option QUIET = Option.flag(
                    "--quiet", "writes nothing to stderr after success, also for a replay: for cron")
            .byEnv();
    public static final Option STATUS_FILE = Option.of(
                    "--status-file", "PATH", "gets the JSON object, while stdout stays the command's")
            .byEnv();

    public static final Option TTL = Option.of("--ttl", "TIME", "7d", "how long the result answers duplicates")
            .byEnv();
    public static final Option LEASE = Option.of(
                    "--lease", "TIME", "60s", "how long idem is trusted without a sign of life; it renews in time")
            .byEnv();
    public static final Option TIMEOUT = Option.of(
                    "--timeout", "TIME", "5m", "ends the command's process group after this time; 0 to let it run on")
            .byEnv();
    public static final Option DRY_RUN = Option.flag(
                    "--dry-run", "tells what would happen; claims nothing, runs nothing")
            .byEnv();
    public static final Option IDEMPOTENCY_KEY = Option.of(
            "--idempotency-key", "K", "makes this very call happen once: the same again is answered with effect noop");
    public static final Option YES =
            Option.flag("--yes", "confirms that something is removed for good").withAlias("--confirm-destructive");

    /** The options of every command that answers in JSON in a pipe. */
    public static final List<Option> OUTPUT = List.of(JSON, TEXT, JSON_SHAPE);
    /** The same for a command that reads or writes whole entries. */
    public static final List<Option> LEDGER_OUTPUT = List.of(JSON, TEXT, JSON_SHAPE, LEDGER, SEAL_KEYS);
    /** The options that make a call of a command idempotent. */
    public static final List<Option> ONCE = List.of(IDEMPOTENCY_KEY, DRY_RUN);

    private Options() {}
}
