package dev.idem.cli.demo;

import dev.idem.cli.around.OutputStyle;
import dev.idem.cli.around.Surroundings;
import dev.idem.cli.entry.Table;
import dev.idem.command.Terminal;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToIntFunction;

/**
 * The output for people: a line for each event, and at a terminal a table of the counts below, which is redrawn with
 * each event.
 */
final class Show {
    private static final int RED = 31;
    private static final int GREEN = 32;
    private static final int BOLD = 1;

    private final OutputStream out;
    private final OutputStyle style;
    private final Terminal.Size screen;
    private final boolean live;
    private final Map<Side, Counted> counted = new EnumMap<>(Side.class);
    private int drawn;

    /** {@code live} means that the output is a terminal, where lines may be redrawn. */
    Show(OutputStream out, OutputStyle style, Terminal.Size screen, boolean live) {
        this.out = out;
        this.style = style;
        this.screen = screen;
        // The terminal needs room for the table and the event above it.
        this.live = live && screen.rows() > 8 && screen.columns() >= 40;
    }

    /** Writes to stdout; {@code silent} if stdout gets one JSON object. */
    static Show to(Surroundings around, boolean silent) {
        boolean terminal = !silent
                && around.style().people()
                && !around.env().getOrDefault("TERM", "dumb").equals("dumb");
        return new Show(
                silent ? OutputStream.nullOutputStream() : around.out(),
                around.style(),
                terminal ? Terminal.size(around.env()) : Terminal.Size.USUAL,
                terminal);
    }

    /** Whether a person watches at a terminal. */
    boolean live() {
        return live;
    }

    /** Writes sentences and an empty line. */
    void text(String sentences) {
        StringBuilder text = new StringBuilder();
        int column = 0;
        for (String word : sentences.split(" ", -1)) {
            if (column > 0 && column + 1 + word.length() >= screen.columns()) {
                text.append('\n');
                column = 0;
            }
            text.append(column == 0 ? "" : " ").append(word);
            column += (column == 0 ? 0 : 1) + word.length();
        }
        print(text + "\n\n");
    }

    void heading(Side side) {
        line(style.colour(BOLD, fitting(side.heading)));
    }

    void step(Side side, String step, String words, Counted now) {
        counted.put(side, now);
        String text = fitting(String.format(Locale.ROOT, "  %-13s %s", step, words));
        line(step.equals("kill -9") ? style.colour(RED, text) : text);
    }

    /** Ends the output: the table stays. */
    void end() {
        print(live ? "\n" : "\n" + table() + "\n");
    }

    private void line(String text) {
        // Moves to the start of the table and clears it.
        String over = drawn == 0 ? "" : "\u001b[" + drawn + "A\u001b[J";
        String table = !live || counted.isEmpty() ? "" : "\n" + table();
        drawn = (int) table.chars().filter(c -> c == '\n').count();
        print(over + text + "\n" + table);
    }

    private String table() {
        Table table = new Table("", Side.WITHOUT.title, Side.WITH.title);
        row(table, "charges booked", Counted::charges);
        row(table, "emails sent", Counted::emails);
        row(table, "orders created", Counted::orders);
        return table.text();
    }

    private void row(Table table, String name, ToIntFunction<Counted> count) {
        table.row(name, cell(Side.WITHOUT, count), cell(Side.WITH, count));
    }

    private String cell(Side side, ToIntFunction<Counted> count) {
        Counted known = counted.get(side);
        if (known == null) {
            return "-";
        }
        int number = count.applyAsInt(known);
        String text = Integer.toString(number);
        return number == 0 ? text : style.colour(number == 1 ? GREEN : RED, text);
    }

    /** Cuts a line to the width: a wrapped line would move the table. */
    private String fitting(String text) {
        int most = screen.columns() - 1;
        return !live || text.length() <= most ? text : text.substring(0, most - 1) + "…";
    }

    private void print(String text) {
        try {
            out.write(text.getBytes(StandardCharsets.UTF_8));
            out.flush();
        } catch (IOException e) {
            // The reader has gone. The answer still has the counts.
            return;
        }
    }
}
