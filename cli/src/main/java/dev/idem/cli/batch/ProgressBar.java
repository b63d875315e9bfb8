package dev.idem.cli.batch;

import dev.idem.cli.around.Surroundings;
import dev.idem.command.Terminal;

/** A progress bar on stderr, if that is a terminal; drawn at most ten times a second. */
final class ProgressBar {
    private static final int WIDTH = 30;
    private static final int SHORTEST = 5;
    private static final long BETWEEN_NANOS = 100_000_000;

    private final Surroundings around;
    private final boolean shown;
    private final int columns;
    private long last;

    ProgressBar(Surroundings around) {
        this.around = around;
        this.shown = around.style().progress();
        this.columns = shown ? Terminal.size(around.env()).columns() : 0;
        this.last = around.nanos().getAsLong() - BETWEEN_NANOS;
    }

    void show(Tally tally) {
        long now = around.nanos().getAsLong();
        if (shown && now - last >= BETWEEN_NANOS) {
            last = now;
            draw(tally);
        }
    }

    /** There is no bar while the number of lines is unknown. */
    private void draw(Tally tally) {
        String words = tally.words();
        // Some terminals wrap a line of the full width.
        int width = Math.min(WIDTH, columns - 1 - words.length() - "[] ".length());
        String bar = "";
        if (tally.isWhole() && tally.total() > 0 && width >= SHORTEST) {
            int full = (int) ((long) tally.done() * width / tally.total());
            bar = "[" + "#".repeat(full) + ".".repeat(width - full) + "] ";
        }
        String line = bar + words;
        around.complain("\r" + line.substring(0, Math.max(0, Math.min(line.length(), columns - 1))) + "\u001b[K");
    }

    /** Draws the final state and clears the line: the answer has the same words. */
    void end(Tally tally) {
        if (shown && tally.done() > 0) {
            draw(tally);
            around.complain("\r\u001b[K");
        }
    }
}
