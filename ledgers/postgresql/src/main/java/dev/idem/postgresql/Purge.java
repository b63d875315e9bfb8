package dev.idem.postgresql;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Removes what has expired, in small batches. */
final class Purge {
    private static final int BATCH = 64;

    private final Database database;
    private final Statements statements;
    private final Sweep sweep;
    private final List<Shelf> shelves = List.of(new Shelf(false), new Shelf(true));
    private final AtomicInteger turns = new AtomicInteger();

    Purge(Database database, Statements statements, Sweep sweep) {
        this.database = database;
        this.statements = statements;
        this.sweep = sweep;
    }

    /** How many entries have come due. */
    long due() {
        return database.ask(statements.get("count-due"), parameters -> {}, row -> row.next() ? row.getLong(1) : 0L);
    }

    /** Purges so many at most, every time beginning with the other shelf so that none of them starves. */
    int purge(int limit) {
        int turn = turns.getAndIncrement() & 1;
        int purged = shelves.get(turn).purge(limit);
        purged += shelves.get(1 - turn).purge(limit - purged);
        database.ask(statements.get("purge-beside"), parameters -> parameters.integer(limit), row -> row.next());
        sweep.go();
        return purged;
    }

    /** What one batch has done. */
    private record Batch(int seen, int purged, long upTo) {}

    /** The entries that are notable, or those that are not. */
    private final class Shelf {
        private static final long BEGINNING = Long.MIN_VALUE;

        private final boolean notable;
        /** Where to go on: what was purged is still stepped over until the server has cleaned up. */
        private final AtomicLong place = new AtomicLong(BEGINNING);

        private Shelf(boolean notable) {
            this.notable = notable;
        }

        int purge(int limit) {
            int purged = 0;
            while (purged < limit) {
                int most = Math.min(BATCH, limit - purged);
                Batch batch = batch(place.get(), most);
                purged += batch.purged();
                if (batch.seen() < most) {
                    // What was passed over since somebody held it is looked at the next time.
                    place.set(BEGINNING);
                    return purged;
                }
                place.set(batch.purged() == 0 ? batch.upTo() + 1 : batch.upTo());
            }
            return purged;
        }

        private Batch batch(long from, int most) {
            return database.ask(
                    statements.get("purge"),
                    parameters -> parameters.flag(notable).number(from).integer(most),
                    row -> {
                        row.next();
                        return new Batch(row.getInt(1), row.getInt(2), row.getLong(3));
                    });
        }
    }
}
