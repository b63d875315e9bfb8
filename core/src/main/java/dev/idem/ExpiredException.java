package dev.idem;

import dev.idem.spi.ImportedRun;

/** The operation ran once, its result is gone, and a tombstone keeps it from running again. */
public final class ExpiredException extends EntryException {
    private static final long serialVersionUID = 1;

    public ExpiredException(Entry entry) {
        super(
                entry,
                entry.address() + " was settled at " + ended(entry)
                        + ". It was not run again; use a new key for new work, or forget the entry",
                null);
    }

    /** The times of an imported tombstone are those of the import. */
    private static String ended(Entry entry) {
        ImportedRun there = ImportedRun.of(entry.labels());
        return there == null
                ? entry.times().settled() + " and its result expired at "
                        + entry.times().expires()
                : there.ended() + ", before it was imported, and its result has expired";
    }

    @Override
    public boolean mayTryAgain() {
        return false;
    }
}
