package dev.idem.cli.syntax;

import java.util.List;

/** The tables of the commands that look after a ledger as a whole, and of those about {@code idem} itself. */
public final class UpkeepSyntaxes {
    public static final Option EVERY =
            Option.of("--every", "TIME", "500ms", "how often to look").withoutEnv();
    public static final Option FOR = Option.of("--for", "TIME", "0", "how long to watch; 0 until interrupted")
            .withoutEnv();
    public static final Option BATCH_SIZE =
            Option.of("--batch-size", "N", "500", "how many at a time, 1-1000").withoutEnv();
    public static final Option PRINT = Option.flag("--print", "prints the SQL for somebody else to run; opens nothing")
            .withoutEnv()
            .asDocument();
    public static final Option SCHEMA = Option.of(
                    "--schema", "NAME", "idem", "the schema the printed SQL is for, on PostgreSQL")
            .withoutEnv();
    public static final Option PAYLOADS = Option.flag(
                    "--with-results", "also writes the results, which may hold secrets")
            .withoutEnv();
    public static final Option ETAG = Option.of(
                    "--etag", "HASH", null, "answers not_modified when the manifest still has this hash")
            .withoutEnv();
    public static final Option IMPORT_OPERATION = Option.of(
                    "--operation",
                    "NAME",
                    null,
                    "the operation of lines without one; without it execute_once for a table, request for states")
            .withoutEnv();
    private static final List<Option> LOOKS =
            List.of(Syntaxes.JSON, Syntaxes.TEXT, Syntaxes.JSON_SHAPE, Syntaxes.LEDGER, Syntaxes.SEAL_KEYS);

    public static final Syntax WATCH = new Syntax(
            "watch",
            "shows entries as they change",
            List.of(),
            false,
            false,
            Danger.SAFE,
            List.of(
                    Syntaxes.STATE,
                    Syntaxes.ONLY_SCOPE,
                    Syntaxes.ONLY_OPERATION,
                    EVERY,
                    FOR,
                    Syntaxes.JSON,
                    Syntaxes.TEXT,
                    Syntaxes.JSON_SHAPE,
                    Syntaxes.LEDGER),
            List.of(0, 1, 2, 12, 130, 143),
            """
            A line for each change. A pipe gets each as JSON, and the response envelope as the last line, also when
            a signal ends the watching; with --text, lines for people. With --json one object, at the end.
            """);
    public static final Syntax STATS = new Syntax(
            "stats",
            "counts the entries by state, and the duplicates that were prevented",
            List.of(),
            false,
            false,
            Danger.SAFE,
            LOOKS,
            List.of(0, 1, 2, 12),
            "");
    public static final Syntax DOCTOR = new Syntax(
            "doctor",
            "checks the ledger: reachable, private, its clock, and what is stuck or in doubt",
            List.of(),
            false,
            false,
            Danger.SAFE,
            LOOKS,
            List.of(0, 2, 3, 12),
            "Exit 3: it works, and something wants to be looked at.\n");
    public static final Syntax PURGE = new Syntax(
            "purge",
            "clears away expired entries; never touches what is live or in doubt",
            List.of(),
            false,
            false,
            Danger.DESTRUCTIVE,
            List.of(
                    Syntaxes.YES,
                    BATCH_SIZE,
                    Syntaxes.IDEMPOTENCY_KEY,
                    Syntaxes.DRY_RUN,
                    Syntaxes.JSON,
                    Syntaxes.TEXT,
                    Syntaxes.JSON_SHAPE,
                    Syntaxes.LEDGER),
            List.of(0, 1, 2, 3, 4, 6, 12),
            "It needs --yes, or --dry-run to count what would go.\n");
    public static final Syntax EXPORT = new Syntax(
            "export",
            "writes entries as lines of JSON",
            List.of(),
            false,
            false,
            Danger.SAFE,
            List.of(
                    Syntaxes.STATE,
                    Syntaxes.ONLY_SCOPE,
                    Syntaxes.ONLY_OPERATION,
                    PAYLOADS,
                    Syntaxes.JSON,
                    Syntaxes.TEXT,
                    Syntaxes.JSON_SHAPE,
                    Syntaxes.LEDGER,
                    Syntaxes.SEAL_KEYS),
            List.of(0, 1, 2, 12),
            """
            The last line into a pipe is the response envelope with their number, so that a file that was cut off
            is told from a whole one; with --text it is left out. With --json one object with all of them in
            data.entries: for small ledgers.
            """);
    public static final Syntax IMPORT = new Syntax(
            "import",
            "takes over entries that were exported, a file of request states, or a SQLite table of results",
            List.of("FILE"),
            false,
            false,
            Danger.MUTATING,
            List.of(
                    Syntaxes.SCOPE,
                    IMPORT_OPERATION,
                    Syntaxes.TTL,
                    Syntaxes.IDEMPOTENCY_KEY,
                    Syntaxes.DRY_RUN,
                    Syntaxes.JSON,
                    Syntaxes.TEXT,
                    Syntaxes.JSON_SHAPE,
                    Syntaxes.LEDGER,
                    Syntaxes.SEAL_KEYS),
            List.of(0, 1, 2, 3, 4, 5, 6, 12, 130, 143),
            """
            Lines of export keep their scope, operation and expiry. A file of request states goes to the operation that
            RequestStore reads (request), a SQLite table of results to that of executeOnce (execute_once), in --scope;
            they are kept for --ttl from when they ended there, so old ones have expired. What is there already is left
            alone, and an import that was cut off is finished by the same call. Exit 3: something was left out; data
            says which lines and entries, and why.
            """);
    public static final Syntax MIGRATE = new Syntax(
            "migrate",
            "brings the ledger's tables up to date",
            List.of(),
            false,
            false,
            Danger.MUTATING,
            List.of(
                    PRINT,
                    SCHEMA,
                    Syntaxes.IDEMPOTENCY_KEY,
                    Syntaxes.DRY_RUN,
                    Syntaxes.JSON,
                    Syntaxes.TEXT,
                    Syntaxes.JSON_SHAPE,
                    Syntaxes.LEDGER),
            List.of(0, 1, 2, 3, 4, 6, 12),
            "Every other command does it too, by itself; this one is for whoever wants it apart.\n");
    public static final Syntax MANIFEST = new Syntax(
            "manifest",
            "describes all commands, options and exit codes for programs",
            List.of(),
            false,
            false,
            Danger.SAFE,
            List.of(ETAG, Syntaxes.JSON, Syntaxes.TEXT, Syntaxes.JSON_SHAPE),
            List.of(0, 1, 2),
            "");
    public static final Syntax COMPLETION = new Syntax(
            "completion",
            "prints what a shell needs to complete idem: bash, zsh or fish",
            List.of("SHELL"),
            false,
            true,
            Danger.SAFE,
            List.of(Syntaxes.JSON, Syntaxes.JSON_SHAPE),
            List.of(0, 1, 2),
            "");

    static final List<Syntax> ALL = List.of(STATS, DOCTOR, PURGE, EXPORT, IMPORT, MIGRATE, MANIFEST, COMPLETION);

    private UpkeepSyntaxes() {}

    /** Whether a pipe gets a line for each item as it comes, and the envelope last. */
    public static boolean streams(Syntax syntax) {
        return syntax.name().equals(WATCH.name()) || syntax.name().equals(EXPORT.name());
    }
}
