package dev.idem.cli.run;

import dev.idem.cli.around.Surroundings;
import dev.idem.cli.recorded.Recorded;
import dev.idem.command.Signals;
import org.jspecify.annotations.Nullable;

/** Passes on a command's output while it runs, beside the recording. */
public final class Live {
    private final @Nullable Passage out;
    private final @Nullable Passage err;

    private Live(@Nullable Passage out, @Nullable Passage err) {
        this.out = out;
        this.err = err;
    }

    /** Only records. */
    public static Live none() {
        return new Live(null, null);
    }

    /** Writes to this program's stderr and, unless it is reserved for the JSON object, stdout. */
    static Live to(Surroundings around, boolean json) {
        return new Live(
                json ? null : new Passage("idem-stdout-live", around.out()),
                new Passage("idem-stderr-live", around.err()));
    }

    @Nullable
    Passage out() {
        return out;
    }

    @Nullable
    Passage err() {
        return err;
    }

    void replay(Recorded output) {
        if (out != null) {
            out.give(output.stdout(), output.stdout().length);
        }
        if (err != null) {
            err.give(output.stderr(), output.stderr().length);
        }
    }

    /** Waits until all readers have everything or have gone; false if a signal came before that. */
    boolean delivered(Signals signals) {
        signals.delivering();
        try {
            if (out != null) {
                out.drain();
            }
            if (err != null) {
                err.drain();
            }
            return true;
        } catch (InterruptedException e) {
            return false;
        } finally {
            signals.ended();
        }
    }
}
