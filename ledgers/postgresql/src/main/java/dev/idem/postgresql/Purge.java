package dev.idem.postgresql;

import java.util.concurrent.atomic.AtomicLong;

/** Removes what has expired, in small batches. */
final class Purge {
    private static final int BATCH = 64;
    private static final int MOST_SWEEPS = 100;
    private static final long BEGINNING = Long.MIN_VALUE;

    private final Database database;
    private final Statements statements;
    /** Where to go on: what was purged is still stepped over until the server has cleaned up. */
    private final AtomicLong place = new AtomicLong(BEGINNING);

    /** What one batch has done. */
    private record Batch(int seen, int purged, long upTo) {}

    Purge(Database database, Statements statements) {
        this.database = database;
        this.statements = statements;
    }

    /** How many entries have come due. */
    long due() {
        return database.ask(statements.get("count-due"), parameters -> {}, row -> row.next() ? row.getLong(1) : 0L);
    }

    /** Purges so many at most. */
    int purge(int limit) {
        int purged = 0;
        boolean more = true;
        while (more && purged < limit) {
            int most = Math.min(BATCH, limit - purged);
            Batch batch = batch(place.get(), most);
            purged += batch.purged();
            more = batch.seen() == most;
            // What was passed over since somebody held it is looked at the next time.
            place.set(!more ? BEGINNING : batch.purged() == 0 ? batch.upTo() + 1 : batch.upTo());
        }
        for (int i = 0; i < MOST_SWEEPS && sweep(); i++) {
            // There is more of it.
        }
        database.ask(statements.get("purge-beside"), parameters -> parameters.integer(limit), row -> row.next());
        return purged;
    }

    /** Whether there is more to be swept. */
    private boolean sweep() {
        return database.ask(statements.get("sweep"), parameters -> {}, row -> row.next() && row.getBoolean(1));
    }

    private Batch batch(long from, int most) {
        return database.ask(
                statements.get("purge"), parameters -> parameters.number(from).integer(most), row -> {
                    row.next();
                    return new Batch(row.getInt(1), row.getInt(2), row.getLong(3));
                });
    }
}
