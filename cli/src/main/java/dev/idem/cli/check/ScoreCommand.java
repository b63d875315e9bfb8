package dev.idem.cli.check;

import dev.idem.cli.around.Surroundings;
import dev.idem.cli.syntax.Arguments;
import dev.idem.cli.syntax.CheckSyntaxes;
import dev.idem.cli.syntax.Durations;
import dev.idem.cli.syntax.UsageException;
import dev.idem.command.Answer;
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
    private static final int LONGEST_ANSWER = 100;

    private final Surroundings around;
    private final Arguments arguments;
    private final ScoreOptions options;
    private final Grader grader;
    private final int atLeast;

    /** Checks the line; throws a {@link UsageException} when a value makes no sense. */
    public ScoreCommand(Surroundings around, Arguments arguments) {
        this.around = around;
        this.arguments = arguments;
        this.atLeast = arguments.number(CheckSyntaxes.AT_LEAST, 0, 3);
        String watch = arguments.find(CheckSyntaxes.WATCH);
        try {
            this.options = new ScoreOptions(
                    arguments.command(),
                    watch == null ? null : around.directory().resolve(watch),
                    arguments.find(CheckSyntaxes.SEEN_BY),
                    arguments.find(CheckSyntaxes.SWAP),
                    arguments.value(CheckSyntaxes.KEY_OPTION),
                    Durations.positive(arguments, CheckSyntaxes.ONE_RUN));
            this.grader = new Grader(options, "score-" + UUID.randomUUID());
        } catch (ScoreRefused e) {
            throw new UsageException(String.valueOf(e.getMessage()));
        }
    }

    public Answer run() throws IOException {
        if (arguments.flag(CheckSyntaxes.LINES_ONLY)) {
            return Answer.ok("would_create").with("changes", grader.lines()).text("would run:\n" + lines());
        }
        if (!arguments.flag(CheckSyntaxes.CONSENT) && !consents()) {
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
