package dev.idem.command.score;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A grade for people and for programs. */
public final class Report {
    private static final Map<Integer, String> POINTS = Map.of(
            1, "a key keeps a retry from happening twice",
            2, "every answer says what was done",
            3, "it is enforced, and there is a dry run");

    private final ScoreOptions options;
    private final Grade grade;

    /** A report on a grade. */
    public Report(ScoreOptions options, Grade grade) {
        this.options = options;
        this.grade = grade;
    }

    /** For people. */
    public String text() {
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

    /** For programs. */
    public Map<String, @Nullable Object> fields() {
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
            fields.put("checks", grade.of(point).stream().map(Report::fields).toList());
            points.add(fields);
        }
        data.put("points", points);
        data.put("missing", grade.missing());
        return data;
    }

    private static Map<String, @Nullable Object> fields(Check check) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("what", check.what());
        fields.put("met", check.met());
        fields.put("evidence", check.evidence());
        fields.put("missing", check.met() ? null : check.missing());
        return fields;
    }
}
