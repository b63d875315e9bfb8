package dev.idem.cli.syntax;

import dev.idem.command.Danger;
import java.util.List;

/** The tables of the commands for scripts and other languages: claim, renew, settle and key. */
public final class ProtocolSyntaxes {
    public static final Option OPERATION = Option.of("--operation", "NAME", "call", "the operation of the entry");
    public static final Option IDENTITY = Option.of(
            "--identity", "JSON", "the fields that identify the work, which guard the key; - reads them from stdin");
    public static final Option ATTEMPT_ID =
            Option.of("--attempt-id", "HEX", "names this claim, 32 hex digits: sent again it gets the same answer");
    public static final Option OWNER = Option.of("--owner", "NAME", "who claims, for people to read");
    public static final Option OWNER_PID = Option.of(
            "--owner-pid",
            "PID",
            "the process that will act: once it is gone, the key is in doubt without waiting for the lease");
    public static final Option TAKE_OVER = Option.of(
                    "--take-over", "HOW", "none", "what to do with doubt: none, probe or rerun")
            .withWords("none", "probe", "rerun");
    public static final Option FENCE =
            Option.of("--fence", "N", "the fence that the claim gave").asNeeded();
    public static final Option ENDED = Option.of(
                    "--as",
                    "WORD",
                    "complete: it happened; failed: nothing happened; in_doubt: unknown; not_executed: a probe "
                            + "found that the doubted attempt did nothing")
            .withWords("complete", "failed", "in_doubt", "not_executed")
            .asNeeded();
    public static final Option RESULT =
            Option.of("--result", "TEXT", "the result for duplicates, as JSON if it is JSON; - reads it from stdin");
    public static final Option NO_RESULT =
            Option.of("--no-result", "WHY", "complete, but duplicates can't be given the result, and why");
    public static final Option ERROR = Option.of("--error", "TEXT", "", "why it failed or is in doubt");
    public static final Option FIELD = Option.of("--field", "NAME=VALUE", "a field of the identity, as text")
            .repeating();
    public static final Option OCCURRENCE = Option.of("--occurrence", "N", "1", "the number of a deliberate repeat");
    public static final Option FORMULA = Option.of(
            "--formula", "ID", "derives the key by the formula of another program; a wrong ID lists all formulas");
    public static final Option EXPLAIN = Option.flag("--explain", "shows what went into the key");
    public static final Option DIFF = Option.flag("--diff", "shows the fields that make the keys of two files differ");

    public static final Syntax CLAIM = Syntax.of("claim", "claims a key, or says who holds it or how it ended")
            .takes("KEY")
            .is(Danger.MUTATING)
            .has(Syntaxes.SCOPE, OPERATION, IDENTITY, Syntaxes.LEASE, Syntaxes.TIMEOUT, TAKE_OVER, ATTEMPT_ID)
            .has(OWNER, OWNER_PID, Syntaxes.LABEL, Syntaxes.RUN_ID, Syntaxes.DRY_RUN)
            .has(Syntaxes.LEDGER_OUTPUT)
            .ends(3, 4, 5, 6, 12)
            .explained("""
            Granted: effect created and a fence, which goes with renew and settle. Complete: effect noop and the result.
            Else: 3 in doubt, 4 held by another, 6 used for something else or expired. The key itself makes it safe to
            repeat: no --idempotency-key is needed.
            """);
    public static final Syntax RENEW = Syntax.of("renew", "keeps a claimed key for another lease")
            .takes("KEY")
            .is(Danger.MUTATING)
            .has(FENCE, Syntaxes.SCOPE, OPERATION, Syntaxes.LEASE, Syntaxes.DRY_RUN)
            .has(Syntaxes.OUTPUT)
            .has(Syntaxes.LEDGER)
            .ends(3, 4, 5, 6, 12)
            .explained("Exit 6: the key is no longer yours; stop acting on it.\n");
    public static final Syntax SETTLE = Syntax.of("settle", "ends a claimed attempt: complete, failed or in doubt")
            .takes("KEY")
            .is(Danger.MUTATING)
            .has(FENCE, ENDED, RESULT, NO_RESULT, ERROR, Syntaxes.SCOPE, OPERATION, Syntaxes.TTL)
            .has(Syntaxes.DRY_RUN)
            .has(Syntaxes.LEDGER_OUTPUT)
            .ends(3, 4, 5, 6, 12)
            .explained(
                    "Settling twice in the same way is a noop. Exit 6: another owner has the key now, or it was settled in another\n"
                            + "way; nothing was written.\n");
    public static final Syntax KEY = Syntax.of("key", "derives a key from the fields that identify a piece of work")
            .takes("[JSON-FILE]", "[OTHER-FILE]")
            .natural()
            .has(Syntaxes.SCOPE, OPERATION, IDENTITY, FIELD, OCCURRENCE, FORMULA, EXPLAIN, DIFF, Syntaxes.JSON)
            .has(Syntaxes.JSON_SHAPE)
            .explained(
                    "The identity is --identity, or --field, or a file with JSON (- is stdin). It opens no ledger.\n");

    static final List<Syntax> ALL = List.of(CLAIM, RENEW, SETTLE, KEY);

    private ProtocolSyntaxes() {}
}
