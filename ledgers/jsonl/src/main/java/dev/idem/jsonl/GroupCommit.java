package dev.idem.jsonl;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * Lets the first writer lead: it writes its own step together with those of all who arrive meanwhile, in the order in
 * which they came. A lone writer leads itself, in its own thread, with nothing handed over.
 */
final class GroupCommit {
    /** After this long a leader whose own step is written hands over to the next in the queue. */
    private static final long LONGEST_LEAD = TimeUnit.MILLISECONDS.toNanos(5);

    private final Consumer<Queue<Request<?>>> writer;
    private final ReentrantLock leading = new ReentrantLock();
    private final ConcurrentLinkedQueue<Request<?>> queue = new ConcurrentLinkedQueue<>();
    private final AtomicInteger exclusive = new AtomicInteger();

    /** Made with what writes a batch: as much of the queue as it likes, at least one, each answered. */
    GroupCommit(Consumer<Queue<Request<?>>> writer) {
        this.writer = writer;
    }

    /** Takes the step in a batch and answers once that is written through. */
    <A> A submit(Request.Work<A> work) {
        Request<A> own = new Request<>(work);
        queue.add(own);
        boolean interrupted = false;
        while (!own.isDone()) {
            // Whoever waits to be alone is let through first: among many writers it would never get the lock.
            if (exclusive.get() == 0 && leading.tryLock()) {
                try {
                    lead(own);
                } catch (RuntimeException | Error e) {
                    // Whoever is told that it failed must not have it written later, in a batch of somebody else.
                    queue.remove(own);
                    throw e;
                } finally {
                    leading.unlock();
                    wakeNext();
                }
            } else {
                // What was asked may be in the middle of a batch, so an interrupt has to wait.
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
        exclusive.incrementAndGet();
        leading.lock();
        try {
            action.run();
        } finally {
            exclusive.decrementAndGet();
            leading.unlock();
            // Also where the action has failed: whoever found the lock taken sleeps until it is woken.
            wakeNext();
        }
    }

    int waiting() {
        return queue.size();
    }

    private void lead(Request<?> own) {
        long start = System.nanoTime();
        while (!queue.isEmpty()
                && (!own.isDone() || (exclusive.get() == 0 && System.nanoTime() - start < LONGEST_LEAD))) {
            writer.accept(queue);
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
