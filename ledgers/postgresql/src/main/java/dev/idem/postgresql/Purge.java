package dev.idem.postgresql;

import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Removes what has expired, in small batches. */
final class Purge {
    private static final int BATCH = 64;
    private static final long BEGINNING = Long.MIN_VALUE;
    private static final List<String> STATES = List.of("complete", "failed", "expired");

    private final Database database;
    private final Statements statements;
    /** Where to go on: what was purged is still stepped over until the server has cleaned up. */
    private final ConcurrentHashMap<String, Long> places = new ConcurrentHashMap<>();

    private final AtomicInteger turns = new AtomicInteger();

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

    /** Purges so many at most, every time beginning with another state so that none of them starves. */
    int purge(int limit) {
        int turn = Math.floorMod(turns.getAndIncrement(), STATES.size());
        int purged = 0;
        for (int i = 0; i < STATES.size() && purged < limit; i++) {
            purged += purge(STATES.get((turn + i) % STATES.size()), limit - purged);
        }
        beside(limit);
        return purged;
    }

    private int purge(String state, int limit) {
        int purged = 0;
        while (purged < limit) {
            int most = Math.min(BATCH, limit - purged);
            Batch batch = batch(state, places.getOrDefault(state, BEGINNING), most);
            purged += batch.purged();
            if (batch.seen() < most) {
                // What was passed over since somebody held it is looked at the next time.
                places.remove(state);
                return purged;
            }
            places.put(state, batch.purged() == 0 ? batch.upTo() + 1 : batch.upTo());
        }
        return purged;
    }

    private Batch batch(String state, long from, int most) {
        return database.ask(
                statements.get("purge"),
                parameters -> parameters.text(state).number(from).integer(most),
                row -> {
                    row.next();
                    return new Batch(row.getInt(1), row.getInt(2), row.getLong(3));
                });
    }

    private void beside(int limit) {
        database.ask(statements.get("purge-beside"), parameters -> parameters.integer(limit), row -> row.next());
    }
}
