package dev.idem.sqlite;

import dev.idem.LedgerUnavailableException;
import java.time.Duration;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Lets the first thread that writes lead: it commits its own request together with all that arrive meanwhile, in their
 * order. A lone thread writes its own request itself.
 */
final class GroupCommit {
    /** After this long a leader whose own request is written hands over to the next in the queue. */
    private static final long LONGEST_LEAD = TimeUnit.MILLISECONDS.toNanos(5);

    private final Writer writer;
    private final Duration busy;
    private final SqliteErrors errors;
    private final ReentrantLock leading = new ReentrantLock();
    private final ConcurrentLinkedQueue<Request<?>> queue = new ConcurrentLinkedQueue<>();
    private volatile boolean seized;

    /** {@code busy} limits how long a request waits for a transaction of this process. */
    GroupCommit(Writer writer, Duration busy, SqliteErrors errors) {
        this.writer = writer;
        this.busy = busy;
        this.errors = errors;
    }

    /** Runs a write and returns its answer once it is committed. */
    <A> A submit(Request<A> own) {
        if (leading.isHeldByCurrentThread()) {
            throw new IllegalStateException(
                    "while an action runs in a transaction of a SQLite ledger, only its connection can write "
                            + "to that ledger: call other operations before or after it");
        }
        boolean queued = false;
        long since = 0;
        boolean interrupted = false;
        while (!own.isDone()) {
            if (leading.tryLock()) {
                try {
                    queued = lead(own, queued);
                } catch (RuntimeException | Error e) {
                    // The caller gets a failure: the request must not be written later, in another leader's batch.
                    queue.remove(own);
                    throw e;
                } finally {
                    leading.unlock();
                    wakeNext();
                }
            } else if (!queued) {
                // Tries the lock once more: its holder may have ended before it could see this request in the queue.
                queue.add(own);
                queued = true;
            } else {
                since = since == 0 ? System.nanoTime() : since;
                // The request may be in the middle of a commit, so an interrupt has to wait.
                park(own, since);
                interrupted |= Thread.interrupted();
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return own.answer();
    }

    /** A leader ends soon. A transaction takes as long as its action does, which may be waiting for this request. */
    private void park(Request<?> own, long since) {
        if (!seized) {
            LockSupport.park(this);
            return;
        }
        long left = busy.toNanos() - (System.nanoTime() - since);
        if (left > 0) {
            LockSupport.parkNanos(this, left);
        } else if (queue.remove(own)) {
            own.fail(held());
            own.finish();
            wakeNext();
        }
    }

    /** Runs an action while no other thread writes. */
    void exclusively(Runnable action) {
        leading.lock();
        seized();
        try {
            action.run();
        } finally {
            release();
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
        seized();
    }

    private LedgerUnavailableException held() {
        return errors.unavailable(
                "is busy: an action of this process has held a transaction for " + busy.toMillis()
                        + " ms. Nothing was written; keep such actions short, or wait longer with ?busy=60s",
                null);
    }

    private void seized() {
        seized = true;
        // Requests that sleep until a leader ends must now wait with a time limit.
        wakeNext();
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

    int waiting() {
        return queue.size();
    }

    /**
     * Writes the queue until the leader's own request is written, and for a while longer. A lone request is written
     * without being queued.
     *
     * @return whether its own request is or was in the queue
     */
    private boolean lead(Request<?> own, boolean queued) {
        long start = System.nanoTime();
        boolean alone = !queued && queue.isEmpty();
        if (alone) {
            writer.write(own, queue);
        } else if (!queued) {
            queue.add(own);
        }
        while (!queue.isEmpty() && (!own.isDone() || System.nanoTime() - start < LONGEST_LEAD)) {
            Request<?> next = queue.poll();
            if (next != null) {
                writeOthers(next, own.isDone());
            }
        }
        return !alone;
    }

    /** An error of other requests, after the leader's own was written, does not concern the leader. */
    private void writeOthers(Request<?> next, boolean ownWritten) {
        try {
            writer.write(next, queue);
        } catch (RuntimeException | Error e) {
            if (!ownWritten) {
                throw e;
            }
            Log.error("requests of other threads could not be written, and they were told so", e);
        }
    }

    /** Wakes the next in the queue: it sleeps because it found the lock taken. */
    private void wakeNext() {
        Request<?> next = queue.peek();
        if (next != null) {
            next.wakeUp();
        }
    }
}
