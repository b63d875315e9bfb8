package dev.idem.cli.syntax;

import dev.idem.command.Danger;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The table of commands and options, used by the parser, the help, the manifest and the completions. */
public final class Syntaxes {
    /** Not from the environment: {@code IDEM_KEY} tells a command the key of the call around it. */
    public static final Option KEY = Option.of("--key", "K", "names this piece of work: 1-255 visible ASCII characters")
            .withAlias("--idempotency-key");

    public static final Option SCOPE = Option.of(
                    "--scope", "S", "default", "where keys are unique: a task, a tenant, a project")
            .byEnv();
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

    public static final Option TTL = Option.of("--ttl", "TIME", "7d", "how long the result answers duplicates")
            .byEnv();
    public static final Option LEASE = Option.of(
                    "--lease", "TIME", "60s", "how long idem is trusted without a sign of life; it renews in time")
            .byEnv();
    public static final Option WAIT = Option.of(
                    "--wait", "TIME", "10s", "how long to wait for a running duplicate; 0 to be refused at once")
            .byEnv();
    public static final Option TIMEOUT = Option.of(
                    "--timeout", "TIME", "5m", "ends the command's process group after this time; 0 to let it run on")
            .byEnv();
    public static final Option SIDE_EFFECT = Option.of(
                    "--side-effect",
                    "CLASS",
                    "write",
                    "write, idempotent (safe to run again, also in doubt) or destructive (never waits, never again)")
            .withWords("write", "idempotent", "destructive")
            .byEnv();
    public static final Option ON_DOUBT = Option.of(
                    "--on-doubt",
                    "WHAT",
                    "halt",
                    "halt, or rerun when running it twice does no harm; what to do with doubt")
            .withWords("halt", "rerun")
            .byEnv();
    public static final Option ON_NONZERO = Option.of(
                    "--on-nonzero",
                    "WHAT",
                    "doubt",
                    "doubt; rerun: every exit from 1 to 127 means that nothing happened; keep: it is a result like any other")
            .withWords("doubt", "rerun", "keep")
            .byEnv();
    public static final Option FAILED_EXITS = Option.of(
                    "--failed-exits",
                    "LIST",
                    "the exits that mean that nothing happened, e.g. 1,2,64-78, below 128; or curl or wget: those exits of this"
                            + " command that prove it")
            .byEnv();
    public static final Option QUIET = Option.flag(
                    "--quiet", "writes nothing to stderr after success, also for a replay: for cron")
            .byEnv();
    public static final Option FINGERPRINT = Option.of(
                    "--fingerprint",
                    "LIST",
                    "guards the key with more than the command's words: cwd, stdin, env:NAME, separated by commas")
            .byEnv();
    public static final Option DRY_RUN = Option.flag(
                    "--dry-run", "tells what would happen; claims nothing, runs nothing")
            .byEnv();
    public static final Option STATUS_FILE = Option.of(
                    "--status-file", "PATH", "gets the JSON object, while stdout stays the command's")
            .byEnv();

    public static final Option KEY_FROM = Option.of(
                    "--key-from",
                    "LIST",
                    "derives the key from argv, stdin, env:NAME, file:PATH, separated by commas, and the scope; in place of --key")
            .byEnv();
    public static final Option PROBE = Option.of(
                    "--probe",
                    "LINE",
                    "a shell line that is asked when the key is in doubt: exit 0, it happened and its stdout is the result; 1, it "
                            + "did not and no longer can; else unknown")
            .byEnv();
    public static final Option PROBE_GRACE = Option.of(
                    "--probe-grace",
                    "TIME",
                    "how long after its exit the command's effect may still appear: the probe is asked after that, and not only "
                            + "when --timeout is over")
            .byEnv();
    public static final Option RETRY = Option.of(
                    "--retry",
                    "N",
                    "0",
                    "how often to try again when nothing happened, or when the command is idempotent; never if destructive")
            .byEnv();
    public static final Option BACKOFF = Option.of(
                    "--backoff",
                    "TIME",
                    "1s",
                    "how long before the first of these; each waits twice as long, up to 60s")
            .byEnv();
    public static final Option LABEL =
            Option.of("--label", "NAME=VALUE", "a searchable note on the entry").repeating();
    public static final Option RUN_ID = Option.of(
                    "--run", "ID", "the run of an agent that this belongs to, kept as the label run")
            .byEnv("IDEM_RUN_ID");
    public static final Option NO_KEEP_COMMAND = Option.flag(
                    "--no-keep-command",
                    "keeps neither the command's words nor, with a doubt, its last lines of output: they may hold secrets")
            .byEnv();
    public static final Option TEXT =
            Option.flag("--text", "writes for people even into a pipe").byEnv();
    public static final Option JSON_SHAPE = Option.of(
                    "--json-shape", "SHAPE", "envelope", "flat has effect, reason and changes at the top level")
            .withWords("envelope", "flat")
            .byEnv();
    public static final Option IDEMPOTENCY_KEY = Option.of(
            "--idempotency-key", "K", "makes this very call happen once: the same again is answered with effect noop");
    public static final Option YES =
            Option.flag("--yes", "confirms that something is removed for good").withAlias("--confirm-destructive");

    public static final Option OPERATION = Option.of("--operation", "NAME", "run", "the operation of the entry");
    public static final Option AS = Option.of("--as", "WORD", "complete: it happened; failed: it did not")
            .withWords("complete", "failed")
            .asNeeded();
    public static final Option RESOLVED_RESULT = Option.of(
            "--result", "JSON", "the result for later calls, for a command its stdout; - reads it from stdin");
    public static final Option WITH_RESULT =
            Option.flag("--with-result", "shows the recorded result too").withAlias("--result");
    public static final Option PLAN = Option.of(
            "--plan", "FILE", "resolves the entries that a dry run gave as JSON, if they are unchanged; - is stdin");
    public static final Option NO_RESULT =
            Option.of("--no-result", "WHY", "there is no result to give: later calls do not run, and are told why");
    public static final Option BY = Option.of("--by", "NAME", "who found out; without it $USER");
    public static final Option BECAUSE = Option.of("--why", "TEXT", "how that person found out");
    public static final Option STATE = Option.of(
                    "--state", "WORD", "only in_progress, complete, failed, in_doubt or expired entries")
            .withWords("in_progress", "complete", "failed", "in_doubt", "expired");
    public static final Option ONLY_SCOPE = Option.of("--scope", "S", "only entries of this scope");
    public static final Option ONLY_OPERATION = Option.of("--operation", "NAME", "only entries of this operation");
    public static final Option ONLY_LABEL =
            Option.of("--label", "NAME=VALUE", "only entries with this label").repeating();
    public static final Option ONLY_KEY =
            Option.of("--key", "GLOB", "only entries with this key; * is any text, ? any character: 'charge-ann-*'");
    public static final Option OLDER_THAN =
            Option.of("--older-than", "TIME", "only entries claimed before that: 2h or 7d ago, or 2026-11-15T09:30");
    public static final Option NEWER_THAN =
            Option.of("--newer-than", "TIME", "only entries claimed since then: 2h or 7d ago, or a date");
    public static final Option CURSOR = Option.of("--cursor", "TOKEN", "goes on where meta.cursor of a page ends");
    public static final Option LIMIT = Option.of("--limit", "N", "50", "how many entries at most, 1-1000");

    /** The options of every command that answers in JSON in a pipe. */
    static final List<Option> OUTPUT = List.of(JSON, TEXT, JSON_SHAPE);
    /** The same for a command that reads or writes whole entries. */
    static final List<Option> LEDGER_OUTPUT = List.of(JSON, TEXT, JSON_SHAPE, LEDGER, SEAL_KEYS);
    /** The options that make a call of a command idempotent. */
    static final List<Option> ONCE = List.of(IDEMPOTENCY_KEY, DRY_RUN);

    public static final Syntax RUN = Syntax.of(
                    "run", "runs a command once; every later call with the same key gets the same output and exit code")
            .running()
            .natural()
            .is(Danger.MUTATING)
            .has(KEY, KEY_FROM, SCOPE, TTL, LEASE, WAIT, TIMEOUT, SIDE_EFFECT, ON_DOUBT, PROBE, PROBE_GRACE)
            .has(
                    ON_NONZERO,
                    FAILED_EXITS,
                    RETRY,
                    BACKOFF,
                    FINGERPRINT,
                    LABEL,
                    RUN_ID,
                    NO_KEEP_COMMAND,
                    DRY_RUN,
                    QUIET,
                    JSON)
            .has(JSON_SHAPE, STATUS_FILE, LEDGER, SEAL_KEYS)
            .ends(80, 81, 82, 83, 124, 126, 127)
            .explained("""
            TIME is a number and a unit: 500ms, 60s, 5m, 2h, 7d.
            The command is told IDEM_KEY, IDEM_FENCE and IDEM_ATTEMPT.

            A non-zero exit does not prove that nothing happened, so by default it leaves the key in doubt, and an
            entry in doubt is never run again by itself. Exits of 128 and above are always in doubt.

            Exit codes: the command's own, or
              80  in flight: another call still runs it     81  in doubt: it is unknown whether it happened
              82  the key was used for something else       83  the ledger can't be used; the command did not run
             124  time-out (in doubt)                 126, 127  the command can't be started; nothing is recorded
               2  wrong arguments; nothing was run           1  it is complete, but its result can't be replayed
            """);

    public static final Syntax SHOW = Syntax.of(
                    "show", "shows what is known about a key, and the recorded output only with --with-result")
            .takes("KEY")
            .has(WITH_RESULT, SCOPE, OPERATION)
            .has(LEDGER_OUTPUT)
            .ends(5, 12);
    public static final Syntax WHY = Syntax.of(
                    "why", "explains a key in sentences: who claimed it, what happened, what you can do")
            .takes("KEY")
            .has(SCOPE, OPERATION)
            .has(LEDGER_OUTPUT)
            .ends(5, 12);
    public static final Syntax LS = Syntax.of("ls", "lists entries, the newest claim first")
            .has(STATE, ONLY_SCOPE, ONLY_OPERATION, ONLY_KEY, ONLY_LABEL, OLDER_THAN, NEWER_THAN, LIMIT, CURSOR)
            .has(LEDGER_OUTPUT)
            .ends(12);
    public static final Syntax FORGET = Syntax.of("forget", "removes an entry, so that its key may run again")
            .takes("KEY")
            .is(Danger.DESTRUCTIVE)
            .has(YES, SCOPE, OPERATION)
            .has(ONCE)
            .has(OUTPUT)
            .has(LEDGER)
            .ends(3, 4, 5, 6, 12)
            .explained("It needs --yes, or --dry-run to see what would be removed.\n");
    public static final Syntax RESOLVE = Syntax.of(
                    "resolve", "settles an entry in doubt or failed, once you know whether it happened")
            .takes("[KEY]")
            .is(Danger.MUTATING)
            .has(AS, RESOLVED_RESULT, NO_RESULT, BY, BECAUSE, SCOPE, OPERATION, TTL)
            .has(PLAN, STATE, ONLY_KEY, ONLY_LABEL, OLDER_THAN, NEWER_THAN, LIMIT)
            .has(ONCE)
            .has(LEDGER_OUTPUT)
            .ends(3, 4, 5, 6, 12)
            .explained("""
            As complete: duplicates get the result that is given here. For a command it is its stdout;
            without one they get exit code 0 and no output. For other operations --result or --no-result must be given.
            As failed: the next call runs it again. Who and why are kept, and shown by show and why.

            Several entries: without KEY, with --dry-run --json, it lists the entries in doubt that --scope,
            --operation, --key, --label and others select. Look at them, then give that output as --plan:
            each entry is resolved if it is still the one that was listed.
            """);

    private Syntaxes() {}

    /** All commands, in the order of the help. */
    public static List<Syntax> all() {
        List<Syntax> all = new ArrayList<>(List.of(RUN, BatchSyntax.BATCH));
        all.addAll(ProtocolSyntaxes.ALL);
        all.addAll(List.of(SHOW, WHY, LS, UpkeepSyntaxes.WATCH, RESOLVE, FORGET));
        all.addAll(ApprovalSyntaxes.ALL);
        all.addAll(CheckSyntaxes.ALL);
        all.addAll(WebhookSyntaxes.ALL);
        all.addAll(UpkeepSyntaxes.ALL);
        all.addAll(McpSyntax.ALL);
        all.add(DemoSyntax.DEMO);
        return List.copyOf(all);
    }

    /** The commands that begin with this word, if there are any of two words; the word itself may be one. */
    public static List<Syntax> group(String name) {
        return name.equals(WebhookSyntaxes.GROUP)
                ? WebhookSyntaxes.ALL
                : name.equals(McpSyntax.GROUP) ? McpSyntax.ALL : List.of();
    }

    public static @Nullable Syntax find(String name) {
        // The most frequent commands do not load the other tables.
        if (name.equals(RUN.name())) {
            return RUN;
        }
        Syntax bare = find(name, ProtocolSyntaxes.ALL);
        return bare == null ? find(name, all()) : bare;
    }

    private static @Nullable Syntax find(String name, List<Syntax> among) {
        for (Syntax syntax : among) {
            if (syntax.name().equals(name)) {
                return syntax;
            }
        }
        return null;
    }
}
