package dev.idem.internal.ledger;

import dev.idem.LedgerException;
import dev.idem.LedgerUnavailableException;
import dev.idem.LedgerUnreadableException;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A write that one thread waits for, and its answer. */
public abstract class QueuedWrite<A> {
    private final Thread asker = Thread.currentThread();
    private @Nullable A answer;
    private @Nullable RuntimeException failure;
    private volatile boolean done;

    /** Takes the answer; it counts once {@link #finish()} is called, after the commit. */
    protected final void succeed(A made) {
        failure = null;
        answer = made;
    }

    public final void fail(RuntimeException why) {
        failure = why;
    }

    public final void finish() {
        done = true;
        if (asker != Thread.currentThread()) {
            wakeUp();
        }
    }

    final void wakeUp() {
        LockSupport.unpark(asker);
    }

    public final boolean isDone() {
        return done;
    }

    /** The answer. A failure is thrown as a new exception, because several callers may share one cause. */
    @SuppressWarnings("NullAway") // the answer is null if the work returns null
    public final A answer() {
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
