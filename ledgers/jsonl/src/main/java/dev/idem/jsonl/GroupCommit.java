package dev.idem.jsonl;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * Lets the first writer lead: it writes its own step together with all steps that arrive meanwhile, in their order. A
 * single writer writes its own step in its own thread.
 */
final class GroupCommit {
    /** After this long a leader whose own step is written hands over to the next in the queue. */
    private static final long LONGEST_LEAD = TimeUnit.MILLISECONDS.toNanos(5);

    private final Consumer<Queue<Request<?>>> writer;
    private final ReentrantLock leading = new ReentrantLock();
    private final ConcurrentLinkedQueue<Request<?>> queue = new ConcurrentLinkedQueue<>();
    private final AtomicInteger exclusive = new AtomicInteger();

    /** {@code writer} writes a batch: it takes at least one request of the queue and answers each. */
    GroupCommit(Consumer<Queue<Request<?>>> writer) {
        this.writer = writer;
    }

    /** Runs the step in a batch and returns its answer once the batch is synced. */
    <A> A submit(Request.Work<A> work) {
        Request<A> own = new Request<>(work);
        queue.add(own);
        boolean interrupted = false;
        while (!own.isDone()) {
            // A thread that waits for exclusive access goes first: among many writers it would never get the lock.
            if (exclusive.get() == 0 && leading.tryLock()) {
                try {
                    lead(own);
                } catch (RuntimeException | Error e) {
                    // A caller that gets a failure must not have its step written later, in another leader's batch.
                    queue.remove(own);
                    throw e;
                } finally {
                    leading.unlock();
                    wakeNext();
                }
            } else {
                // The step may be in the middle of a batch, so an interrupt has to wait.
                LockSupport.park(this);
                interrupted |= Thread.interrupted();
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return own.answer();
    }

    /** Runs an action while no thread writes. */
    void exclusively(Runnable action) {
        exclusive.incrementAndGet();
        leading.lock();
        try {
            action.run();
        } finally {
            exclusive.decrementAndGet();
            leading.unlock();
            // Also after a failure: threads that found the lock taken sleep until they are woken.
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

    /** Wakes the next in the queue: it sleeps because it found the lock taken. */
    private void wakeNext() {
        Request<?> next = queue.peek();
        if (next != null) {
            next.wakeUp();
        }
    }
}
