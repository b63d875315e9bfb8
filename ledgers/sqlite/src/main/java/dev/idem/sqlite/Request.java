package dev.idem.sqlite;

import dev.idem.error.LedgerException;
import dev.idem.error.LedgerUnavailableException;
import dev.idem.error.LedgerUnreadableException;
import java.sql.SQLException;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** One thread's step that waits to be written, and its answer once it is. */
final class Request<A> {
    /** A step of a write transaction. It may be run again, in a new transaction, when its first one failed. */
    @FunctionalInterface
    interface Work<A> {
        A run(WriteTransaction transaction) throws SQLException;

        /**
         * The step as one statement that commits by itself, in a transaction that was not begun: for a step that nobody
         * else waits beside. Null, and nothing was written, if it takes more than that.
         */
        default @Nullable A single(WriteTransaction unbegun) throws SQLException {
            return null;
        }
    }

    private final Work<A> work;
    private final Thread asker = Thread.currentThread();
    private @Nullable A answer;
    private @Nullable RuntimeException failure;
    private volatile boolean done;

    Request(Work<A> work) {
        this.work = work;
    }

    /** Runs the step; its answer counts once {@link #finish()} is called, after the commit. */
    void run(WriteTransaction transaction) throws SQLException {
        failure = null;
        answer = work.run(transaction);
    }

    /** Runs the step as a single statement; false, and nothing was written, if it takes more than that. */
    boolean runSingle(WriteTransaction unbegun) throws SQLException {
        answer = work.single(unbegun);
        return answer != null;
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

    /** The answer; a failure is thrown as one of the asker's own, since several askers may share one cause. */
    @SuppressWarnings("NullAway") // an answer may be null where the work gives null
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
