package dev.idem.cli.batch;

import dev.idem.cli.around.Surroundings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** A bar on stderr, where that is a terminal; it is drawn at most ten times a second. */
final class Progress {
    private static final int WIDTH = 30;
    private static final long BETWEEN_NANOS = 100_000_000;

    private final Surroundings around;
    private final int total;
    private final boolean shown;
    private long last;

    Progress(Surroundings around, int total) {
        this.around = around;
        this.total = total;
        this.shown = around.looks().progress() && total > 0;
        this.last = around.nanos().getAsLong() - BETWEEN_NANOS;
    }

    void show(Tally tally) {
        long now = around.nanos().getAsLong();
        if (shown && (now - last >= BETWEEN_NANOS || tally.done() == total)) {
            last = now;
            int full = (int) ((long) tally.done() * WIDTH / total);
            write("\r[" + "#".repeat(full) + ".".repeat(WIDTH - full) + "] " + tally.words() + "\u001b[K");
        }
    }

    void end() {
        if (shown) {
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
