package dev.idem;

import org.jspecify.annotations.Nullable;

/** The operation is complete, but its result can't be replayed. The action did not run again. */
public final class ResultUnavailableException extends EntryException {
    private static final long serialVersionUID = 1;

    public ResultUnavailableException(Entry entry, String why, @Nullable Throwable cause) {
        super(
                entry,
                entry.address() + " is complete since " + entry.times().settled()
                        + ", but its result can't be replayed: " + why + ". It was not run again",
                cause);
    }

    @Override
    public boolean mayTryAgain() {
        return false;
    }
}
