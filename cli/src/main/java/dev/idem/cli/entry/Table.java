package dev.idem.cli.entry;

import java.util.ArrayList;
import java.util.List;

/** Rows under a head, in columns as wide as they need to be. */
public final class Table {
    private static final String COLOUR = "\u001b\\[[0-9]*m";

    private final List<String[]> rows = new ArrayList<>();

    public Table(String... head) {
        rows.add(head);
    }

    /** One more row, with as many cells as the head has. */
    public void row(String... cells) {
        rows.add(cells);
    }

    public String text() {
        int[] widths = new int[rows.get(0).length];
        for (String[] row : rows) {
            for (int i = 0; i < row.length; i++) {
                widths[i] = Math.max(widths[i], width(row[i]));
            }
        }
        StringBuilder text = new StringBuilder();
        for (String[] row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < row.length; i++) {
                line.append(row[i]).append(" ".repeat(widths[i] + 2 - width(row[i])));
            }
            text.append(line.toString().stripTrailing()).append('\n');
        }
        return text.toString();
    }

    private static int width(String cell) {
        return cell.indexOf('\u001b') < 0
                ? cell.length()
                : cell.replaceAll(COLOUR, "").length();
    }
}
