package dev.idem.cli.syntax;

import dev.idem.command.Danger;
import java.util.List;

/** The tables of the commands that check tools and other programs. */
public final class CheckSyntaxes {
    public static final Option SARIF = Option.flag(
                    "--sarif", "writes the findings as SARIF 2.1.0, which code hosts show beside the code")
            .asDocument();
    public static final Option FAIL_ON = Option.of(
                    "--fail-on", "SEVERITY", "error", "ends with 1 if there is a finding of this level or worse")
            .withWords("error", "warning", "note", "never");

    public static final Option CLASSPATH = Option.of(
            "--classpath",
            "PATHS",
            "jars and folders that the classes need, as java takes them; a * stands for all jars of a folder");

    public static final Option WATCH = Option.of("--watch", "DIR", "files under DIR show the effect");
    public static final Option SEEN_BY = Option.of("--probe", "LINE", "the output of this shell line shows the effect");
    public static final Option SWAP =
            Option.of("--swap", "OLD=NEW", "the argument to replace for another payload; by default one is chosen");
    public static final Option KEY_OPTION =
            Option.of("--key-option", "NAME", "--idempotency-key", "the option of the tool that takes the key");
    public static final Option ONE_RUN = Option.of("--timeout", "TIME", "60s", "how long one run may take");
    public static final Option AT_LEAST = Option.of("--at-least", "N", "0", "ends with 1 when the score is lower");
    public static final Option CONSENT = Option.flag("--yes", "runs it for real, several times, without asking");
    public static final Option LINES_ONLY = Option.flag("--dry-run", "tells what would be run; runs nothing");

    public static final Syntax VET = Syntax.of(
                    "vet",
                    "checks tools before a deploy: which would run twice, end in doubt, or destroy without an approval")
            .takes("PATH...")
            .has(CLASSPATH, FAIL_ON, SARIF)
            .has(Syntaxes.OUTPUT)
            .ends(5)
            .explained("""
            PATH is a jar, a folder of classes, or a .json file with a list of tools as MCP, OpenAI or Anthropic write it.
            The code is read, not run. Classes need their dependencies in the same jar or folder, or in --classpath, also
            the annotations of a framework: without them its tools are not seen. If no tool is found, the exit is 1.
            """);

    public static final Syntax SCORE = Syntax.of(
                    "score",
                    "grades from 0 to 3 how safely a mutating command of any program can be retried, by running it")
            .running()
            .is(Danger.MUTATING)
            .has(WATCH, SEEN_BY, SWAP, KEY_OPTION, ONE_RUN, AT_LEAST, CONSENT, LINES_ONLY)
            .has(Syntaxes.IDEMPOTENCY_KEY)
            .has(Syntaxes.OUTPUT)
            .has(Syntaxes.LEDGER)
            .ends(3, 4, 6, 12, 126)
            .explained("""
            It runs the command for real: dry, twice with one key, with another payload, and without a key. If it pays,
            sends or deletes, it will. So it asks first, unless told --yes; --dry-run shows the lines.
            """);

    static final List<Syntax> ALL = List.of(VET, SCORE);

    private CheckSyntaxes() {}
}
