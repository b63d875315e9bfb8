package dev.idem.cli.syntax;

import java.util.List;

/** The tables of the commands for scripts and other languages: claim, renew, settle and key. */
public final class ProtocolSyntaxes {
    public static final Option OPERATION = Option.of("--operation", "NAME", "call", "the operation of the entry")
            .withoutEnv();
    public static final Option IDENTITY = Option.of(
                    "--identity",
                    "JSON",
                    null,
                    "what makes it this piece of work: guards the key; - reads it from stdin")
            .withoutEnv();
    public static final Option ATTEMPT_ID = Option.of(
                    "--attempt-id", "HEX", null, "names this claim, 32 hex digits: sent again it gets the same answer")
            .withoutEnv();
    public static final Option OWNER =
            Option.of("--owner", "NAME", null, "who claims, for people to read").withoutEnv();
    public static final Option OWNER_PID = Option.of(
                    "--owner-pid",
                    "PID",
                    null,
                    "the process that will act: once it is gone, the key is in doubt without waiting for the lease")
            .withoutEnv();
    public static final Option TAKE_OVER = Option.of(
                    "--take-over", "HOW", "none", "what to do with doubt: none, probe or rerun")
            .withWords("none", "probe", "rerun")
            .withoutEnv();
    public static final Option FENCE = Option.of("--fence", "N", null, "the fence that the claim gave")
            .withoutEnv()
            .asNeeded();
    public static final Option ENDED = Option.of(
                    "--as",
                    "WORD",
                    null,
                    "complete: it happened; failed: nothing happened; in_doubt: nobody knows; not_executed: a probe "
                            + "found that the doubted attempt did nothing")
            .withWords("complete", "failed", "in_doubt", "not_executed")
            .withoutEnv()
            .asNeeded();
    public static final Option RESULT = Option.of(
                    "--result", "TEXT", null, "what duplicates get, as JSON where it is JSON; - reads it from stdin")
            .withoutEnv();
    public static final Option NO_RESULT = Option.of(
                    "--no-result", "WHY", null, "complete, but duplicates can't be given the result, and why")
            .withoutEnv();
    public static final Option ERROR =
            Option.of("--error", "TEXT", "", "why it failed or is in doubt").withoutEnv();
    public static final Option FIELD = Option.of("--field", "NAME=VALUE", null, "a field of the identity, as text")
            .repeating();
    public static final Option OCCURRENCE = Option.of(
                    "--occurrence", "N", "1", "which of several deliberate repeats it is")
            .withoutEnv();
    public static final Option FORMULA = Option.of(
                    "--formula", "ID", null, "makes the key as another program does; a wrong ID lists those there are")
            .withoutEnv();
    public static final Option EXPLAIN =
            Option.flag("--explain", "shows what went into the key").withoutEnv();
    public static final Option DIFF = Option.flag("--diff", "tells which fields split the keys of two files")
            .withoutEnv();

    private static final List<Integer> EXITS = List.of(0, 1, 2, 3, 4, 5, 6, 12);

    public static final Syntax CLAIM = new Syntax(
            "claim",
            "takes a key, or says who has it or what came of it",
            List.of("KEY"),
            false,
            false,
            Danger.MUTATING,
            List.of(
                    Syntaxes.SCOPE,
                    OPERATION,
                    IDENTITY,
                    Syntaxes.LEASE,
                    Syntaxes.TIMEOUT,
                    TAKE_OVER,
                    ATTEMPT_ID,
                    OWNER,
                    OWNER_PID,
                    Syntaxes.LABEL,
                    Syntaxes.RUN_ID,
                    Syntaxes.DRY_RUN,
                    Syntaxes.JSON,
                    Syntaxes.TEXT,
                    Syntaxes.JSON_SHAPE,
                    Syntaxes.LEDGER,
                    Syntaxes.SEAL_KEYS),
            EXITS,
            """
            Granted: effect created and a fence, which goes with renew and settle. Complete: effect noop and the result.
            Else: 3 in doubt, 4 held by another, 6 used for something else or expired. The key itself makes it safe to
            repeat: no --idempotency-key is needed.
            """);
    public static final Syntax RENEW = new Syntax(
            "renew",
            "keeps a claimed key for another lease",
            List.of("KEY"),
            false,
            false,
            Danger.MUTATING,
            List.of(
                    FENCE,
                    Syntaxes.SCOPE,
                    OPERATION,
                    Syntaxes.LEASE,
                    Syntaxes.DRY_RUN,
                    Syntaxes.JSON,
                    Syntaxes.TEXT,
                    Syntaxes.JSON_SHAPE,
                    Syntaxes.LEDGER),
            EXITS,
            "Exit 6: the key is no longer yours; stop acting on it.\n");
    public static final Syntax SETTLE = new Syntax(
            "settle",
            "ends a claimed attempt: complete, failed or in doubt",
            List.of("KEY"),
            false,
            false,
            Danger.MUTATING,
            List.of(
                    FENCE,
                    ENDED,
                    RESULT,
                    NO_RESULT,
                    ERROR,
                    Syntaxes.SCOPE,
                    OPERATION,
                    Syntaxes.TTL,
                    Syntaxes.DRY_RUN,
                    Syntaxes.JSON,
                    Syntaxes.TEXT,
                    Syntaxes.JSON_SHAPE,
                    Syntaxes.LEDGER,
                    Syntaxes.SEAL_KEYS),
            EXITS,
            "Settled twice in the same way it is a noop. Exit 6: another has the key by now, or it was settled in another\n"
                    + "way; nothing was written.\n");
    public static final Syntax KEY = new Syntax(
            "key",
            "derives a key from what makes a piece of work this one and no other",
            List.of("[JSON-FILE]", "[OTHER-FILE]"),
            false,
            true,
            Danger.SAFE,
            List.of(
                    Syntaxes.SCOPE,
                    OPERATION,
                    IDENTITY,
                    FIELD,
                    OCCURRENCE,
                    FORMULA,
                    EXPLAIN,
                    DIFF,
                    Syntaxes.JSON,
                    Syntaxes.JSON_SHAPE),
            List.of(0, 1, 2),
            "The identity is --identity, or --field, or a file with JSON (- is stdin). It opens no ledger.\n");

    static final List<Syntax> ALL = List.of(CLAIM, RENEW, SETTLE, KEY);

    private ProtocolSyntaxes() {}
}
