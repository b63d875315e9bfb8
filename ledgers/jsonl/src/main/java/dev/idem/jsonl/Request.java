package dev.idem.jsonl;

import dev.idem.LedgerException;
import dev.idem.LedgerUnavailableException;
import dev.idem.LedgerUnreadableException;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A step that one thread waits for, and its answer. */
final class Request<A> {
    /** A step of a batch. */
    @FunctionalInterface
    interface Work<A> {
        A run(WriteBatch batch);
    }

    private final Work<A> work;
    private final Thread asker = Thread.currentThread();
    private @Nullable A answer;
    private @Nullable RuntimeException failure;
    private volatile boolean done;

    Request(Work<A> work) {
        this.work = work;
    }

    /** Runs the step; its answer is valid once {@link #finish()} is called, after the sync of the batch. */
    void run(WriteBatch batch) {
        try {
            answer = work.run(batch);
        } catch (RuntimeException e) {
            failure = e;
        }
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
        String message = String.valueOf(shared.getMessage());
        return shared.mayTryAgain()
                ? new LedgerUnavailableException(message, shared)
                : new LedgerUnreadableException(message, shared);
    }
}
