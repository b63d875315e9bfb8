package dev.idem.sqlite;

import dev.idem.Address;
import dev.idem.internal.ledger.QueuedWrite;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** A write that one thread waits for. */
final class Request<A> extends QueuedWrite<A> {
    /** A write. It may be run again, in a new transaction, when its first transaction was rolled back. */
    @FunctionalInterface
    interface Work<A> {
        A run(SqliteConnection sqlite) throws SQLException;
    }

    private final Work<A> work;
    private final boolean single;
    private final @Nullable Address wakes;
    private final long since = System.nanoTime();

    private Request(boolean single, @Nullable Address wakes, Work<A> work) {
        this.single = single;
        this.wakes = wakes;
        this.work = work;
    }

    /**
     * A write by one statement, which needs no transaction around it.
     *
     * @param wakes the entry whose waiters are woken; null for none
     */
    static <A> Request<A> single(@Nullable Address wakes, Work<A> work) {
        return new Request<>(true, wakes, work);
    }

    /** A write by several statements. */
    static <A> Request<A> several(Work<A> work) {
        return new Request<>(false, null, work);
    }

    boolean isSingle() {
        return single;
    }

    @Nullable
    Address wakes() {
        return wakes;
    }

    /** The time of the request, by {@link System#nanoTime()}. */
    long since() {
        return since;
    }

    void run(SqliteConnection sqlite) throws SQLException {
        succeed(work.run(sqlite));
    }
}
