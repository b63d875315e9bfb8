package dev.idem.benchmarks;

import java.util.ArrayList;
import java.util.List;

/** The measurements as a table of text. */
final class Report {
    /** The head of the first column, by which a saved report is recognized. */
    static final String FIRST_COLUMN = "path | floor";

    private static final String[] HEAD = {FIRST_COLUMN, "Idem", "floor", "compared", "budget", ""};

    private final List<Row> rows = new ArrayList<>();

    void add(List<Row> more) {
        rows.addAll(more);
    }

    String text() {
        List<String[]> lines = new ArrayList<>();
        lines.add(HEAD);
        for (Row row : rows) {
            lines.add(new String[] {
                row.path(),
                row.measured(),
                row.floor(),
                row.compared(),
                row.budget(),
                row.verdict().word()
            });
        }
        int[] widths = new int[HEAD.length];
        for (String[] line : lines) {
            for (int i = 0; i < line.length; i++) {
                widths[i] = Math.max(widths[i], line[i].length());
            }
        }
        StringBuilder text = new StringBuilder();
        for (String[] line : lines) {
            StringBuilder one = new StringBuilder();
            for (int i = 0; i < line.length; i++) {
                one.append(line[i]).append(" ".repeat(widths[i] - line[i].length() + 2));
            }
            text.append(one.toString().stripTrailing()).append('\n');
        }
        return text.toString();
    }
}
