package dev.idem;

/** The operation ran once, its result is gone, and a tombstone keeps it from running again. */
public final class ExpiredException extends EntryException {
    private static final long serialVersionUID = 1;

    public ExpiredException(Entry entry) {
        super(
                entry,
                entry.address() + " was settled at " + entry.times().settled() + " and its result expired at "
                        + entry.times().expires()
                        + ". It was not run again; use a new key for new work, or forget the entry",
                null);
    }

    @Override
    public boolean mayTryAgain() {
        return false;
    }
}
