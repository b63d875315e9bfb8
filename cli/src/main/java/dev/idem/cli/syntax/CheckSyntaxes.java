package dev.idem.cli.syntax;

import java.util.List;

/** The tables of the commands that judge something else: tools before a deploy, and other command lines. */
public final class CheckSyntaxes {
    public static final Option SARIF = Option.flag(
                    "--sarif", "writes the findings as SARIF 2.1.0, which code hosts show beside the code")
            .withoutEnv()
            .asDocument();
    public static final Option FAIL_ON = Option.of(
                    "--fail-on", "SEVERITY", "error", "ends with 1 when there is something as bad as this")
            .withWords("error", "warning", "note", "never")
            .withoutEnv();

    public static final Option CLASSPATH = Option.of(
                    "--classpath",
                    "PATHS",
                    null,
                    "jars and folders that the classes need, as java takes them; a * stands for all jars of a folder")
            .withoutEnv();

    public static final Option WATCH = Option.of("--watch", "DIR", null, "files under DIR show what happened")
            .withoutEnv();
    public static final Option SEEN_BY = Option.of(
                    "--probe", "LINE", null, "what this shell line writes shows what happened")
            .withoutEnv();
    public static final Option SWAP = Option.of(
                    "--swap", "OLD=NEW", null, "the argument that makes it another payload; one is chosen unless told")
            .withoutEnv();
    public static final Option KEY_OPTION = Option.of(
                    "--key-option", "NAME", "--idempotency-key", "the option of the tool that takes the key")
            .withoutEnv();
    public static final Option ONE_RUN =
            Option.of("--timeout", "TIME", "60s", "how long one run may take").withoutEnv();
    public static final Option AT_LEAST = Option.of("--at-least", "N", "0", "ends with 1 when the score is lower")
            .withoutEnv();
    public static final Option CONSENT = Option.flag("--yes", "runs it for real, several times, without asking")
            .withoutEnv();
    public static final Option LINES_ONLY =
            Option.flag("--dry-run", "tells what would be run; runs nothing").withoutEnv();

    public static final Syntax VET = new Syntax(
            "vet",
            "checks tools before a deploy: what would run twice, end in doubt, or destroy without anybody's word",
            List.of("PATH..."),
            false,
            false,
            Danger.SAFE,
            List.of(CLASSPATH, FAIL_ON, SARIF, Syntaxes.JSON, Syntaxes.TEXT, Syntaxes.JSON_SHAPE),
            List.of(0, 1, 2, 5),
            """
            PATH is a jar, a folder of classes, or a .json file with a list of tools as MCP, OpenAI or Anthropic write it.
            The code is read, not run. Classes need what they refer to in the same jar or folder, or in --classpath: so do
            the annotations of a framework, which are not seen without it. Where no tool is found, nothing passes: exit 1.
            """);

    public static final Syntax SCORE = new Syntax(
            "score",
            "grades from 0 to 3 how safely a mutating command of any program can be retried, by running it",
            List.of(),
            true,
            false,
            Danger.MUTATING,
            List.of(
                    WATCH,
                    SEEN_BY,
                    SWAP,
                    KEY_OPTION,
                    ONE_RUN,
                    AT_LEAST,
                    CONSENT,
                    LINES_ONLY,
                    Syntaxes.IDEMPOTENCY_KEY,
                    Syntaxes.JSON,
                    Syntaxes.TEXT,
                    Syntaxes.JSON_SHAPE,
                    Syntaxes.LEDGER),
            List.of(0, 1, 2, 3, 4, 6, 12, 126, 130, 143),
            """
            It runs the command for real: dry, twice with one key, with another payload, and without a key. If it pays,
            sends or deletes, it will. So it asks first, unless told --yes; --dry-run shows the lines.
            """);

    static final List<Syntax> ALL = List.of(VET, SCORE);

    private CheckSyntaxes() {}
}
