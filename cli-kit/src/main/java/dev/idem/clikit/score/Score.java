package dev.idem.clikit.score;

import dev.idem.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.UUID;

/**
 * Grades any program from 0 to 3: runs a mutating command of it with one key twice, dry, with another payload and
 * without a key, and watches what comes of it.
 *
 * <p>It runs the command for real. It says so, and asks.
 */
public final class Score {
    private static final int OK = 0;
    private static final int BELOW = 1;
    private static final int USAGE = 2;

    private Score() {}

    /**
     * Grades as the words ask, and gives the exit code: 0 when it was graded, 1 when the score is below the one that is
     * demanded, 2 when nothing was run.
     *
     * @param args the options, {@code --}, and the command to be graded
     * @param in where consent is read from
     */
    public static int run(List<String> args, InputStream in, OutputStream out, OutputStream err) {
        long from = System.nanoTime();
        boolean json = args.subList(0, end(args)).contains("--json");
        try {
            if (ScoreLine.asksForHelp(args)) {
                write(out, ScoreLine.HELP);
                return OK;
            }
            ScoreLine line = ScoreLine.parse(args);
            ScoreOptions options = line.options();
            Grader grader = new Grader(options, "score-" + UUID.randomUUID());
            if (!line.yes() && !consents(grader, in, err)) {
                throw new ScoreRefused("CONFIRMATION_REQUIRED", "nothing was run; type yes when asked, or give --yes");
            }
            Grade grade = grader.grade();
            int exit = grade.score() < line.atLeast() ? BELOW : OK;
            Report report = new Report(options, grade);
            write(out, json ? Json.write(report.envelope(exit, line.atLeast(), millis(from))) + "\n" : report.text());
            return exit;
        } catch (ScoreRefused e) {
            return refuse(e, json, out, err, from);
        }
    }

    private static int refuse(ScoreRefused why, boolean json, OutputStream out, OutputStream err, long from) {
        if (json) {
            write(out, Json.write(Report.refused(why, USAGE, millis(from))) + "\n");
        } else {
            write(err, "score: " + why.getMessage() + (why.code().equals("USAGE") ? ". Nothing was run\n" : "\n"));
        }
        return USAGE;
    }

    private static boolean consents(Grader grader, InputStream in, OutputStream err) {
        write(err, "This runs a command for real, several times. If it pays, sends or deletes, it will:\n");
        grader.lines().forEach(line -> write(err, "  " + line + "\n"));
        write(err, "Type yes to go on: ");
        try {
            String answer = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8)).readLine();
            return answer != null && answer.strip().toLowerCase(Locale.ROOT).equals("yes");
        } catch (IOException e) {
            return false;
        }
    }

    private static int end(List<String> args) {
        int end = args.indexOf("--");
        return end < 0 ? args.size() : end;
    }

    private static long millis(long from) {
        return (System.nanoTime() - from) / 1_000_000;
    }

    private static void write(OutputStream stream, String text) {
        try {
            stream.write(text.getBytes(StandardCharsets.UTF_8));
            stream.flush();
        } catch (IOException e) {
            // Nobody listens any more; the exit code still tells.
            return;
        }
    }
}
