package dev.idem.internal.sql;

import dev.idem.LedgerUnreadableException;
import java.util.List;
import java.util.Map;

/** All steps of a stored format, in order, from 1. */
public final class Migrations {
    private final List<Migration> all;

    /** Checks that versions count up from 1 without a gap. */
    public Migrations(List<Migration> all) {
        for (int i = 0; i < all.size(); i++) {
            if (all.get(i).version() != i + 1) {
                throw new IllegalArgumentException(all.get(i).name() + " is not number " + (i + 1));
            }
        }
        this.all = List.copyOf(all);
    }

    /** The format that this version of Idem writes. */
    public int newest() {
        return all.size();
    }

    /**
     * Refuses a format that is newer than this version of Idem.
     *
     * @param where names the ledger in the message
     */
    public void requireKnown(int format, String where) {
        if (format > newest()) {
            throw new LedgerUnreadableException(
                    where + " was written by a newer version of Idem (format " + format + ", this one knows " + newest()
                            + "): upgrade Idem, or name another ledger. Nothing was changed",
                    null);
        }
    }

    /**
     * The migrations that are still to be applied.
     *
     * @param applied the checksums of the applied migrations, by version
     * @throws LedgerUnreadableException if an applied migration had another text, or one in between is missing
     */
    public List<Migration> pending(Map<Integer, String> applied, String where) {
        applied.keySet().stream().max(Integer::compare).ifPresent(highest -> requireKnown(highest, where));
        for (Migration migration : all.subList(0, applied.size())) {
            String checksum = applied.get(migration.version());
            if (!migration.checksum().equals(checksum)) {
                throw new LedgerUnreadableException(
                        where + " has a format that this version of Idem does not know: step " + migration.name()
                                + " was "
                                + (checksum == null ? "left out" : "applied with another text")
                                + ". Use the version of Idem that wrote it, or name another ledger. Nothing was changed",
                        null);
            }
        }
        return all.subList(applied.size(), all.size());
    }
}
