package dev.idem.cli.batch;

import dev.idem.cli.around.Surroundings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** A bar on stderr, where that is a terminal; it is drawn at most ten times a second. */
final class Progress {
    private static final int WIDTH = 30;
    private static final long BETWEEN_NANOS = 100_000_000;

    private final Surroundings around;
    private final boolean shown;
    private long last;

    Progress(Surroundings around) {
        this.around = around;
        this.shown = around.looks().progress();
        this.last = around.nanos().getAsLong() - BETWEEN_NANOS;
    }

    void show(Tally tally) {
        long now = around.nanos().getAsLong();
        if (shown && now - last >= BETWEEN_NANOS) {
            last = now;
            draw(tally);
        }
    }

    /** There is no bar as long as nobody knows how many lines are to come. */
    private void draw(Tally tally) {
        String bar = "";
        if (tally.isWhole() && tally.total() > 0) {
            int full = (int) ((long) tally.done() * WIDTH / tally.total());
            bar = "[" + "#".repeat(full) + ".".repeat(WIDTH - full) + "] ";
        }
        write("\r" + bar + tally.words() + "\u001b[K");
    }

    void end(Tally tally) {
        if (shown && tally.done() > 0) {
            draw(tally);
            write("\n");
        }
    }

    private void write(String text) {
        try {
            around.err().write(text.getBytes(StandardCharsets.UTF_8));
            around.err().flush();
        } catch (IOException e) {
            // Nobody watches; the batch goes on.
            return;
        }
    }
}
