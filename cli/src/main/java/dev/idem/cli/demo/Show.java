package dev.idem.cli.demo;

import dev.idem.cli.around.Looks;
import dev.idem.cli.around.Surroundings;
import dev.idem.cli.entry.Table;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * What people see while it happens: a line for each event, and at a terminal below them a table of the counts, drawn
 * anew with each.
 */
final class Show {
    private static final int RED = 31;
    private static final int GREEN = 32;
    private static final int BOLD = 1;

    private final Surroundings around;
    private final Looks looks;
    private final boolean silent;
    private final @Nullable Screen screen;
    private final Map<Side, Counted> counted = new EnumMap<>(Side.class);
    private int drawn;

    private Show(Surroundings around, boolean silent, @Nullable Screen screen) {
        this.around = around;
        this.looks = around.looks();
        this.silent = silent;
        this.screen = screen;
    }

    /** For whoever reads stdout; {@code silent} where that is to be one JSON object. */
    static Show to(Surroundings around, boolean silent) {
        boolean live = !silent
                && around.looks().people()
                && !around.env().getOrDefault("TERM", "dumb").equals("dumb");
        Screen screen = live ? Screen.of(around.env()) : null;
        // A table that does not fit can't be drawn over.
        return new Show(around, silent, screen != null && screen.rows() > 8 ? screen : null);
    }

    /** Whether the table is on the screen already. */
    boolean live() {
        return screen != null;
    }

    void intro(String text) {
        print(text + "\n");
    }

    void heading(Side side) {
        line(looks.colour(BOLD, fitting(side.heading)));
    }

    void step(Side side, String step, String words, Counted now) {
        counted.put(side, now);
        String text = fitting(String.format(Locale.ROOT, "  %-13s %s", step, words));
        line(step.equals("kill -9") ? looks.colour(RED, text) : text);
    }

    private void line(String text) {
        // Up to where the table begins, and away with it.
        String over = drawn == 0 ? "" : "\u001b[" + drawn + "A\u001b[J";
        String table = screen == null || counted.isEmpty() ? "" : "\n" + table();
        drawn = (int) table.chars().filter(c -> c == '\n').count();
        print(over + text + "\n" + table);
    }

    /** The counts of both sides, as far as they are known. */
    String table() {
        Table table = new Table("", Side.WITHOUT.title, Side.WITH.title);
        row(table, "charges booked", Counted::charges);
        row(table, "emails sent", Counted::emails);
        row(table, "orders created", Counted::orders);
        return table.text();
    }

    private void row(Table table, String name, ToIntFunction<Counted> count) {
        table.row(fitting(name), cell(Side.WITHOUT, count), cell(Side.WITH, count));
    }

    private String cell(Side side, ToIntFunction<Counted> count) {
        Counted known = counted.get(side);
        if (known == null) {
            return "-";
        }
        int number = count.applyAsInt(known);
        String text = Integer.toString(number);
        return number == 0 ? text : looks.colour(number == 1 ? GREEN : RED, text);
    }

    /** A line that wraps would be two, and the table would be drawn in the wrong place. */
    private String fitting(String text) {
        int most = screen == null ? Integer.MAX_VALUE : screen.columns() - 1;
        return text.length() <= most ? text : text.substring(0, Math.max(0, most - 1)) + "…";
    }

    private void print(String text) {
        if (silent) {
            return;
        }
        try {
            around.out().write(text.getBytes(StandardCharsets.UTF_8));
            around.out().flush();
        } catch (IOException e) {
            // Nobody watches; what was counted is told in the end.
            return;
        }
    }
}
