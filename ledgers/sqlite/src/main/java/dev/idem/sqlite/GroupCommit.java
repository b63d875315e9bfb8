package dev.idem.sqlite;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Lets the first writer lead: it commits its own step together with those of all who arrive meanwhile, in the order in
 * which they came. A lone writer leads itself, in its own thread, with nothing handed over.
 */
final class GroupCommit {
    /** After this long a leader whose own step is written hands over to the next in the queue. */
    private static final long LONGEST_LEAD = TimeUnit.MILLISECONDS.toNanos(5);

    private final Writer writer;
    private final ReentrantLock leading = new ReentrantLock();
    private final ConcurrentLinkedQueue<Request<?>> queue = new ConcurrentLinkedQueue<>();

    GroupCommit(Writer writer) {
        this.writer = writer;
    }

    /** Runs the step in a transaction and answers once it is committed. */
    <A> A submit(Request.Work<A> work) {
        if (leading.isHeldByCurrentThread()) {
            throw new IllegalStateException(
                    "while an action runs in a transaction of a SQLite ledger, nobody can write "
                            + "to that ledger but through its connection: call other operations before or after it");
        }
        Request<A> own = new Request<>(work);
        queue.add(own);
        boolean interrupted = false;
        while (!own.isDone()) {
            if (leading.tryLock()) {
                try {
                    lead(own);
                } finally {
                    leading.unlock();
                    wakeNext();
                }
            } else {
                // What was asked may be in the middle of a commit, so an interrupt has to wait.
                LockSupport.park(this);
                interrupted |= Thread.interrupted();
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return own.answer();
    }

    /** Runs something while nobody writes. */
    void exclusively(Runnable action) {
        seize();
        try {
            action.run();
        } finally {
            release();
        }
    }

    /** From now on nobody writes but the calling thread. */
    void seize() {
        leading.lock();
    }

    /** Whether the calling thread has it seized. */
    boolean isSeized() {
        return leading.isHeldByCurrentThread();
    }

    void release() {
        leading.unlock();
        wakeNext();
    }

    int waiting() {
        return queue.size();
    }

    private void lead(Request<?> own) {
        long start = System.nanoTime();
        while (!queue.isEmpty() && (!own.isDone() || System.nanoTime() - start < LONGEST_LEAD)) {
            writer.write(queue);
        }
    }

    /** Whoever came while the lock was held found it taken, and sleeps. */
    private void wakeNext() {
        Request<?> next = queue.peek();
        if (next != null) {
            next.wakeUp();
        }
    }
}
