package dev.idem.cli.check;

import dev.idem.cli.around.Surroundings;
import dev.idem.cli.syntax.Arguments;
import dev.idem.cli.syntax.Command;
import dev.idem.cli.syntax.Durations;
import dev.idem.cli.syntax.Option;
import dev.idem.cli.syntax.Options;
import dev.idem.cli.syntax.Syntax;
import dev.idem.cli.syntax.UsageException;
import dev.idem.command.Answer;
import dev.idem.command.Danger;
import dev.idem.command.ExitCode;
import dev.idem.command.Terminal;
import dev.idem.command.score.Grade;
import dev.idem.command.score.Grader;
import dev.idem.command.score.Report;
import dev.idem.command.score.ScoreOptions;
import dev.idem.command.score.ScoreRefused;
import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;
import java.util.UUID;

/** {@code idem score}: grades another program's command by running it. */
public final class ScoreCommand {
    private static final Option WATCH = Option.of("--watch", "DIR", "files under DIR show the effect");
    private static final Option SEEN_BY =
            Option.of("--probe", "LINE", "the output of this shell line shows the effect");
    private static final Option SWAP =
            Option.of("--swap", "OLD=NEW", "the argument to replace for another payload; by default one is chosen");
    private static final Option KEY_OPTION =
            Option.of("--key-option", "NAME", "--idempotency-key", "the option of the tool that takes the key");
    private static final Option ONE_RUN = Option.of("--timeout", "TIME", "60s", "how long one run may take");
    private static final Option AT_LEAST = Option.of("--at-least", "N", "0", "ends with 1 when the score is lower");
    private static final Option CONSENT = Option.flag("--yes", "runs it for real, several times, without asking");
    private static final Option LINES_ONLY = Option.flag("--dry-run", "tells what would be run; runs nothing");

    public static final Command COMMAND = Syntax.of(
                    "score",
                    "grades from 0 to 3 how safely a mutating command of any program can be retried, by running it")
            .running()
            .is(Danger.MUTATING)
            .has(WATCH, SEEN_BY, SWAP, KEY_OPTION, ONE_RUN, AT_LEAST, CONSENT, LINES_ONLY)
            .has(Options.IDEMPOTENCY_KEY)
            .has(Options.OUTPUT, Options.LEDGER)
            .ends(3, 4, 6, 12, 126)
            .explained("""
            It runs the command for real: dry, twice with one key, with another payload, and without a key. If it pays,
            sends or deletes, it will. So it asks first, unless told --yes; --dry-run shows the lines.
            """)
            .does((around, arguments) -> new ScoreCommand(around, arguments).run());

    private static final int LONGEST_ANSWER = 100;

    private final Surroundings around;
    private final Arguments arguments;
    private final ScoreOptions options;
    private final Grader grader;
    private final int atLeast;

    /** Checks the line; throws a {@link UsageException} when a value makes no sense. */
    private ScoreCommand(Surroundings around, Arguments arguments) {
        this.around = around;
        this.arguments = arguments;
        this.atLeast = arguments.number(AT_LEAST, 0, 3);
        String watch = arguments.find(WATCH);
        try {
            this.options = new ScoreOptions(
                    arguments.command(),
                    watch == null ? null : around.directory().resolve(watch),
                    arguments.find(SEEN_BY),
                    arguments.find(SWAP),
                    arguments.value(KEY_OPTION),
                    Durations.positive(arguments, ONE_RUN));
            this.grader = new Grader(options, "score-" + UUID.randomUUID());
        } catch (ScoreRefused e) {
            throw new UsageException(String.valueOf(e.getMessage()));
        }
    }

    private Answer run() throws IOException {
        if (arguments.flag(LINES_ONLY)) {
            return Answer.ok("would_create").with("changes", grader.lines()).text("would run:\n" + lines());
        }
        if (!arguments.flag(CONSENT) && !consents()) {
            throw new UsageException("it runs a command for real; type yes when asked, or give --yes, or --dry-run to "
                    + "see what would be run");
        }
        try {
            return answer(grader.grade());
        } catch (ScoreRefused e) {
            int exit = e.code().equals("NOT_STARTED")
                    ? ExitCode.NOT_EXECUTABLE.number()
                    : ExitCode.PARTIAL_FAILURE.number();
            return Answer.no(exit, e.code(), String.valueOf(e.getMessage()));
        }
    }

    private boolean consents() throws IOException {
        String question = "This runs a command for real, several times. If it pays, sends or deletes, it will:\n"
                + lines() + "Type yes to go on: ";
        around.complain(question);
        String answer = line(around.in());
        if (!Terminal.isStdin()) {
            // No person has typed Enter after the question.
            around.complain("\n");
        }
        return answer.strip().toLowerCase(Locale.ROOT).equals("yes");
    }

    /** Reads the first line. */
    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = in.read(); next >= 0 && next != '\n' && line.length() < LONGEST_ANSWER; next = in.read()) {
            line.append((char) next);
        }
        return line.toString();
    }

    private String lines() {
        StringBuilder text = new StringBuilder();
        grader.lines().forEach(line -> text.append("  ").append(line).append('\n'));
        return text.toString();
    }

    private Answer answer(Grade grade) {
        Report report = new Report(options, grade);
        String tooLow = "the score is " + grade.score() + ", and " + atLeast + " is demanded";
        Answer answer = grade.score() >= atLeast
                ? Answer.ok("created")
                : Answer.no(ExitCode.GENERAL_ERROR, "SCORE_TOO_LOW", tooLow).fix("build what data.missing lists");
        answer.with("effect", "created").text(report.text());
        report.fields().forEach(answer::with);
        return answer;
    }
}
