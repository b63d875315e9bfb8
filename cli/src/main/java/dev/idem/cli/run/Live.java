package dev.idem.cli.run;

import dev.idem.cli.around.Surroundings;
import dev.idem.cli.recorded.Recorded;
import dev.idem.command.Signals;
import org.jspecify.annotations.Nullable;

/** Where a command's output goes while it runs, beside its recording. */
public final class Live {
    private final @Nullable Passage out;
    private final @Nullable Passage err;

    private Live(@Nullable Passage out, @Nullable Passage err) {
        this.out = out;
        this.err = err;
    }

    /** Records alone. */
    public static Live none() {
        return new Live(null, null);
    }

    /** To this program's own stdout, unless that is kept for the JSON object, and stderr. */
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

    /** Waits until all readers have everything or are gone; false when a signal came before that. */
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
