package dev.idem;

import dev.idem.spi.Doubt;
import java.time.temporal.ChronoUnit;

/** It is unknown whether the effect took place. The action did not run again. The message names the next step. */
public final class InDoubtException extends EntryException {
    private static final long serialVersionUID = 1;

    private final transient Doubt doubt;
    private final boolean mayTryAgain;

    /** Makes an exception whose message ends with {@code next}, the way out of the doubt. */
    public InDoubtException(Entry entry, Doubt doubt, NextStep next) {
        super(entry, describe(entry, doubt) + ". " + next.advice(), null);
        this.doubt = doubt;
        this.mayTryAgain = next.mayTryAgain();
    }

    /** Why it is in doubt, and since when. */
    public Doubt doubt() {
        return doubt;
    }

    /**
     * Whether the same call may get another answer later: the operation declares a probe, a remote that deduplicates by
     * its key, or that running it again does no harm. Otherwise a person has to resolve the entry first.
     */
    @Override
    public boolean mayTryAgain() {
        return mayTryAgain;
    }

    private static String describe(Entry entry, Doubt doubt) {
        var mark = entry.tenure().lastMark();
        return entry.address() + " is in doubt: " + doubt.reason() + " (attempt " + entry.attempt() + ", begun "
                + entry.times().claimed().truncatedTo(ChronoUnit.SECONDS) + " by "
                + entry.tenure().owner().name() + ", fence " + entry.fence()
                + (mark == null ? "" : ", last mark '" + mark.name() + "'") + "). It was not run again";
    }
}
