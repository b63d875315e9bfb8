package dev.idem.sqlite;

import dev.idem.LedgerUnavailableException;
import dev.idem.internal.ledger.WriteQueue;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** The writes of all threads, and transactions, which take writing for their thread. */
final class GroupCommit extends WriteQueue<Request<?>> {
    private final Writer writer;
    private final Duration busy;
    private final SqliteErrors errors;
    private volatile boolean seized;

    /** {@code busy} limits how long a request waits for a transaction of this process. */
    GroupCommit(Writer writer, Duration busy, SqliteErrors errors) {
        this.writer = writer;
        this.busy = busy;
        this.errors = errors;
    }

    /** Runs a write and returns its answer once it is committed. */
    <A> A submit(Request<A> own) {
        if (isSeized()) {
            throw new IllegalStateException(
                    "while an action runs in a transaction of a SQLite ledger, only its connection can write "
                            + "to that ledger: call other operations before or after it");
        }
        await(own);
        return own.answer();
    }

    @Override
    protected void write(Request<?> first, Queue<Request<?>> more) {
        writer.write(first, more);
    }

    /** A leader ends soon. A transaction takes as long as its action does, which may be waiting for this request. */
    @Override
    protected void sleep(Request<?> own) {
        if (!seized) {
            super.sleep(own);
            return;
        }
        long left = busy.toNanos() - (System.nanoTime() - own.since());
        if (left > 0) {
            LockSupport.parkNanos(this, left);
        } else {
            giveUp(own, held());
        }
    }

    /**
     * Reserves writing for the calling thread.
     *
     * @throws LedgerUnavailableException if a transaction of another thread lasts too long: it may wait for this thread
     */
    void seize() {
        boolean free = false;
        try {
            free = leading.tryLock(busy.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (!free) {
            throw held();
        }
        seized = true;
        // Requests that sleep until a leader ends must now wait with a time limit.
        wakeNext();
    }

    private LedgerUnavailableException held() {
        return errors.unavailable(
                "is busy: an action of this process has held a transaction for " + busy.toMillis()
                        + " ms. Nothing was written; keep such actions short, or wait longer with ?busy=60s",
                null);
    }

    /** Whether the calling thread has reserved writing. */
    boolean isSeized() {
        return leading.isHeldByCurrentThread();
    }

    void release() {
        seized = false;
        leading.unlock();
        wakeNext();
    }
}
