package dev.idem.error;

import dev.idem.entry.Doubt;
import dev.idem.entry.Entry;

/** Nobody knows whether the effect took place. It was not run again. */
public final class InDoubtException extends EntryException {
    private static final long serialVersionUID = 1;

    private final transient Doubt doubt;

    public InDoubtException(Entry entry, Doubt doubt) {
        super(entry, describe(entry, doubt), null);
        this.doubt = doubt;
    }

    /** Why it is in doubt, and since when. */
    public Doubt doubt() {
        return doubt;
    }

    /** False: trying again gives the same answer until a probe or a person has found out. */
    @Override
    public boolean mayTryAgain() {
        return false;
    }

    private static String describe(Entry entry, Doubt doubt) {
        var mark = entry.tenure().lastMark();
        return entry.address() + " is in doubt since " + doubt.since() + ": " + doubt.reason() + " (attempt "
                + entry.attempt() + " by " + entry.tenure().owner().name() + ", fence " + entry.fence()
                + (mark == null ? "" : ", last mark '" + mark.name() + "'")
                + "). It was not run again. Find out whether the effect took place, then resolve the entry as complete "
                + "or failed; or give the operation a probe(...), or rerun() if running it twice does no harm";
    }
}
