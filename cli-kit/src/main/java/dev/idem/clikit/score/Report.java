package dev.idem.clikit.score;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A grade for people and for programs. */
final class Report {
    private static final Map<Integer, String> POINTS = Map.of(
            1, "a key keeps a retry from happening twice",
            2, "every answer says what was done",
            3, "it is enforced, and there is a dry run");

    private final ScoreOptions options;
    private final Grade grade;

    Report(ScoreOptions options, Grade grade) {
        this.options = options;
        this.grade = grade;
    }

    String text() {
        StringBuilder text = new StringBuilder();
        text.append("score ").append(grade.score()).append(" of 3: ").append(String.join(" ", options.command()));
        text.append('\n');
        for (int point = 1; point <= 3; point++) {
            text.append('\n')
                    .append(point)
                    .append("  ")
                    .append(POINTS.get(point))
                    .append(": ");
            text.append(grade.reached(point) ? "yes" : "no").append('\n');
            for (Check check : grade.of(point)) {
                text.append(check.met() ? "   yes  " : "   no   ")
                        .append(check.what())
                        .append('\n');
                text.append("        ").append(check.evidence()).append('\n');
            }
        }
        if (!grade.missing().isEmpty()) {
            text.append("\nfor the next point:\n");
            grade.missing().forEach(line -> text.append("  - ").append(line).append('\n'));
        }
        return text.toString();
    }

    Map<String, @Nullable Object> envelope(int exit, long millis) {
        Map<String, @Nullable Object> data = new LinkedHashMap<>();
        data.put("score", grade.score());
        data.put("of", 3);
        data.put("command", options.command());
        List<Object> points = new ArrayList<>();
        for (int point = 1; point <= 3; point++) {
            Map<String, @Nullable Object> fields = new LinkedHashMap<>();
            fields.put("point", point);
            fields.put("what", POINTS.get(point));
            fields.put("reached", grade.reached(point));
            fields.put("checks", grade.of(point));
            points.add(fields);
        }
        data.put("points", points);
        data.put("missing", grade.missing());
        Map<String, @Nullable Object> error = null;
        if (exit != 0) {
            error = error(
                    "score_too_low", "the score is " + grade.score() + ", and " + options.atLeast() + " is demanded");
            error.put("score", data);
        }
        return envelope(exit == 0 ? data : null, error, exit, millis);
    }

    /** Nothing was run. */
    static Map<String, @Nullable Object> refused(ScoreRefused why, int exit, long millis) {
        return envelope(null, error(why.code(), String.valueOf(why.getMessage())), exit, millis);
    }

    private static Map<String, @Nullable Object> error(String code, String message) {
        Map<String, @Nullable Object> error = new LinkedHashMap<>();
        error.put("code", code);
        error.put("message", message);
        error.put("retryable", false);
        return error;
    }

    private static Map<String, @Nullable Object> envelope(
            @Nullable Object data, @Nullable Object error, int exit, long millis) {
        Map<String, @Nullable Object> envelope = new LinkedHashMap<>();
        envelope.put("ok", exit == 0);
        envelope.put("data", data);
        envelope.put("error", error);
        envelope.put("warnings", List.of());
        envelope.put("meta", Map.of("exit_code", exit, "duration_ms", millis, "schema_version", "1.16"));
        return envelope;
    }
}
