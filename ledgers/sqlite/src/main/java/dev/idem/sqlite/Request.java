package dev.idem.sqlite;

import dev.idem.Address;
import dev.idem.LedgerException;
import dev.idem.LedgerUnavailableException;
import dev.idem.LedgerUnreadableException;
import java.sql.SQLException;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A write that one thread waits for, and its answer. */
final class Request<A> {
    /** A write. It may be run again, in a new transaction, when its first transaction was rolled back. */
    @FunctionalInterface
    interface Work<A> {
        A run(SqliteConnection sqlite) throws SQLException;
    }

    private final Work<A> work;
    private final boolean single;
    private final @Nullable Address wakes;
    private final Thread asker = Thread.currentThread();
    private @Nullable A answer;
    private @Nullable RuntimeException failure;
    private volatile boolean done;

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

    /** Runs the write; its answer counts once {@link #finish()} is called, after the commit. */
    void run(SqliteConnection sqlite) throws SQLException {
        failure = null;
        answer = work.run(sqlite);
    }

    void fail(RuntimeException why) {
        failure = why;
    }

    void finish() {
        done = true;
        if (asker != Thread.currentThread()) {
            LockSupport.unpark(asker);
        }
    }

    void wakeUp() {
        LockSupport.unpark(asker);
    }

    boolean isDone() {
        return done;
    }

    /** The answer. A failure is thrown as a new exception, because several callers may share one cause. */
    @SuppressWarnings("NullAway") // the answer is null if the work returns null
    A answer() {
        if (failure instanceof LedgerException ledger) {
            throw asOwn(ledger);
        } else if (failure != null) {
            throw failure;
        }
        return answer;
    }

    private static LedgerException asOwn(LedgerException shared) {
        return shared.mayTryAgain()
                ? new LedgerUnavailableException(message(shared), shared)
                : new LedgerUnreadableException(message(shared), shared);
    }

    private static String message(LedgerException shared) {
        String message = shared.getMessage();
        return message == null ? "" : message;
    }
}
