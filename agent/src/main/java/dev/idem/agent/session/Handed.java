package dev.idem.agent.session;

import dev.idem.agent.tool.Tool;
import dev.idem.agent.tool.Vetted;
import dev.idem.agent.tool.Vetting;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The arguments of a call, as its code is handed them: each time anew. Code may change what it is given, and what was
 * prepared is remembered for the next run, which is not to see that.
 */
final class Handed {
    private final Tool tool;
    private final Vetted vetted;
    private final AtomicBoolean given = new AtomicBoolean();

    Handed(Tool tool, Vetted vetted) {
        this.tool = tool;
        this.vetted = vetted;
    }

    /** Where vetting gives something else each time, those that the key was made from. */
    Vetted next() {
        boolean first = given.compareAndSet(false, true);
        return !first
                        && tool.vet(vetted.input()) instanceof Vetting.Fits again
                        && again.vetted().arguments().equals(vetted.arguments())
                ? again.vetted()
                : vetted;
    }
}
