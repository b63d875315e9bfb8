package dev.idem.cli.syntax;

import dev.idem.command.Danger;
import java.util.List;

/** The tables of the commands that maintain a ledger, and of those about {@code idem} itself. */
public final class UpkeepSyntaxes {
    public static final Option EVERY = Option.of("--every", "TIME", "500ms", "how often to look");
    public static final Option FOR = Option.of("--for", "TIME", "0", "how long to watch; 0 until interrupted");
    public static final Option BATCH_SIZE = Option.of("--batch-size", "N", "500", "how many at a time, 1-1000");
    public static final Option PRINT = Option.flag("--print", "prints the SQL for another person to run; opens nothing")
            .asDocument();
    public static final Option SCHEMA =
            Option.of("--schema", "NAME", "idem", "the schema the printed SQL is for, on PostgreSQL");
    public static final Option PAYLOADS =
            Option.flag("--with-results", "also writes the results, which may hold secrets");
    public static final Option ETAG =
            Option.of("--etag", "HASH", "answers not_modified when the manifest still has this hash");
    public static final Option IMPORT_OPERATION = Option.of(
            "--operation",
            "NAME",
            "the operation of lines without one; without it execute_once for a table, request for states");

    public static final Syntax WATCH = Syntax.of("watch", "shows entries as they change")
            .has(Syntaxes.STATE, Syntaxes.ONLY_SCOPE, Syntaxes.ONLY_OPERATION, EVERY, FOR)
            .has(Syntaxes.OUTPUT)
            .has(Syntaxes.LEDGER)
            .ends(12)
            .explained("""
            A line for each change. A pipe gets each as JSON, and the response envelope as the last line, also when
            a signal ends the watching; with --text, lines for people. With --json one object, at the end.
            """);
    public static final Syntax STATS = Syntax.of(
                    "stats", "counts the entries by state, and the duplicates that were prevented")
            .has(Syntaxes.LEDGER_OUTPUT)
            .ends(12);
    public static final Syntax DOCTOR = Syntax.of(
                    "doctor", "checks the ledger: reachable, private, its clock, and what is stuck or in doubt")
            .has(Syntaxes.LEDGER_OUTPUT)
            .ends(3, 12)
            .explained("Exit 3: it works, and something needs attention.\n");
    public static final Syntax PURGE = Syntax.of(
                    "purge", "removes expired entries; never touches live entries or entries in doubt")
            .is(Danger.DESTRUCTIVE)
            .has(Syntaxes.YES, BATCH_SIZE)
            .has(Syntaxes.ONCE)
            .has(Syntaxes.OUTPUT)
            .has(Syntaxes.LEDGER)
            .ends(3, 4, 6, 12)
            .explained("It needs --yes, or --dry-run to count the entries.\n");
    public static final Syntax EXPORT = Syntax.of("export", "writes entries as lines of JSON")
            .has(Syntaxes.STATE, Syntaxes.ONLY_SCOPE, Syntaxes.ONLY_OPERATION, PAYLOADS)
            .has(Syntaxes.LEDGER_OUTPUT)
            .ends(12)
            .explained("""
            The last line into a pipe is the response envelope with their number, so that an incomplete file
            is noticed; with --text it is left out. With --json one object with all of them in
            data.entries: for small ledgers.
            """);
    public static final Syntax IMPORT = Syntax.of(
                    "import", "imports exported entries, a file of request states, or a SQLite table of results")
            .takes("FILE")
            .is(Danger.MUTATING)
            .has(Syntaxes.SCOPE, IMPORT_OPERATION, Syntaxes.TTL)
            .has(Syntaxes.ONCE)
            .has(Syntaxes.LEDGER_OUTPUT)
            .ends(3, 4, 5, 6, 12)
            .explained("""
            Lines of export keep their scope, operation and expiry. A file of request states goes to the operation that
            RequestStore reads (request), a SQLite table of results to that of executeOnce (execute_once), in --scope;
            they are kept for --ttl from when they ended there, so old ones have expired. Existing entries stay,
            and the same call finishes an interrupted import. Exit 3: something was left out; data
            says which lines and entries, and why.
            """);
    public static final Syntax MIGRATE = Syntax.of("migrate", "brings the ledger's tables up to date")
            .is(Danger.MUTATING)
            .has(PRINT, SCHEMA)
            .has(Syntaxes.ONCE)
            .has(Syntaxes.OUTPUT)
            .has(Syntaxes.LEDGER)
            .ends(3, 4, 6, 12)
            .explained("Every other command also does this; this command does nothing else.\n");
    public static final Syntax MANIFEST = Syntax.of(
                    "manifest", "describes all commands, options and exit codes for programs")
            .has(ETAG)
            .has(Syntaxes.OUTPUT);
    public static final Syntax COMPLETION = Syntax.of(
                    "completion", "prints the completion script for bash, zsh or fish")
            .takes("SHELL")
            .natural()
            .has(Syntaxes.JSON, Syntaxes.JSON_SHAPE);

    static final List<Syntax> ALL = List.of(STATS, DOCTOR, PURGE, EXPORT, IMPORT, MIGRATE, MANIFEST, COMPLETION);

    private UpkeepSyntaxes() {}

    /** Whether a pipe gets a line for each item as it comes, and the envelope last. */
    public static boolean streams(Syntax syntax) {
        return syntax.name().equals(WATCH.name()) || syntax.name().equals(EXPORT.name());
    }
}
