package dev.idem.cli.entry;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;

/** Rows under a header, in columns as wide as needed. */
public final class Table {
    private static final String COLOUR = "\u001b\\[[0-9]*m";

    private static final int GAP = 2;
    private static final int SHORTEST = 12;

    private final List<String[]> rows = new ArrayList<>();

    public Table(String... head) {
        rows.add(head);
    }

    private Table() {}

    /** Adds a row with as many cells as the header. */
    public void row(String... cells) {
        rows.add(cells);
    }

    /**
     * The table in lines that fit a terminal: columns are removed in the given order until it fits; then the widest is
     * cut.
     */
    public String fitting(int columns, String... lessImportant) {
        Table fitting = without(columns, UnaryOperator.identity(), lessImportant);
        int[] widths = fitting.widths();
        int surplus = fitting.width() - columns;
        if (surplus > 0) {
            int widest = 0;
            for (int i = 1; i < widths.length; i++) {
                widest = widths[i] > widths[widest] ? i : widest;
            }
            fitting = fitting.cut(widest, Math.max(SHORTEST, widths[widest] - surplus));
        }
        return fitting.text();
    }

    /** The same without some of these columns, in this order, until it fits when it is cut. */
    Table without(int columns, UnaryOperator<Table> cut, String... names) {
        Table less = this;
        for (String name : names) {
            less = cut.apply(less).width() <= columns ? less : less.without(name);
        }
        return less;
    }

    /** The same with a column cut as far as it must be to fit, and no shorter than {@code least}. */
    Table cutting(int columns, String name, int least) {
        int column = Arrays.asList(rows.get(0)).indexOf(name);
        int surplus = width() - columns;
        return column < 0 || surplus <= 0 ? this : cut(column, Math.max(least, widths()[column] - surplus));
    }

    /** The same without a column, if it has it. */
    Table without(String name) {
        int column = Arrays.asList(rows.get(0)).indexOf(name);
        if (column < 0) {
            return this;
        }
        Table less = new Table();
        for (String[] row : rows) {
            List<String> cells = new ArrayList<>(List.of(row));
            cells.remove(column);
            less.row(cells.toArray(String[]::new));
        }
        return less;
    }

    private Table cut(int column, int most) {
        Table less = new Table();
        for (String[] row : rows) {
            String[] cells = row.clone();
            if (cells[column].length() > most) {
                cells[column] = cells[column].substring(0, most - 1) + "…";
            }
            less.row(cells);
        }
        return less;
    }

    private int width() {
        return Arrays.stream(widths()).sum() + GAP * (rows.get(0).length - 1);
    }

    private int[] widths() {
        int[] widths = new int[rows.get(0).length];
        for (String[] row : rows) {
            for (int i = 0; i < row.length; i++) {
                widths[i] = Math.max(widths[i], width(row[i]));
            }
        }
        return widths;
    }

    public String text() {
        int[] widths = widths();
        StringBuilder text = new StringBuilder();
        for (String[] row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < row.length; i++) {
                line.append(row[i]).append(" ".repeat(widths[i] + GAP - width(row[i])));
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
