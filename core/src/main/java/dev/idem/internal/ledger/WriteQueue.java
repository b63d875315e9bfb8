package dev.idem.internal.ledger;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The queue of a group commit. The first thread that writes leads: it writes its own request together with all that
 * arrive meanwhile, in their order. A lone thread writes its own request itself.
 */
public abstract class WriteQueue<R extends QueuedWrite<?>> {
    /** After this long a leader whose own request is written hands over to the next in the queue. */
    private static final long LONGEST_LEAD = TimeUnit.MILLISECONDS.toNanos(5);

    protected final ReentrantLock leading = new ReentrantLock();
    private final ConcurrentLinkedQueue<R> queue = new ConcurrentLinkedQueue<>();
    private final AtomicInteger exclusive = new AtomicInteger();

    /** Writes a request together with as many queued ones as fit, and answers them. Only the leader calls it. */
    protected abstract void write(R first, Queue<R> more);

    /** Returns once the request is answered. */
    protected final void await(R own) {
        boolean queued = false;
        boolean interrupted = false;
        while (!own.isDone()) {
            // A thread that waits for exclusive access goes first: among many writers it would never get the lock.
            if (exclusive.get() == 0 && leading.tryLock()) {
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
                // The request may be in the middle of a commit, so an interrupt has to wait.
                sleep(own);
                interrupted |= Thread.interrupted();
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Sleeps until the request is answered, or next in the queue, or without a reason. */
    protected void sleep(R own) {
        LockSupport.park(this);
    }

    /** Fails a request whose write has not begun. */
    protected final void giveUp(R own, RuntimeException why) {
        if (queue.remove(own)) {
            own.fail(why);
            own.finish();
            wakeNext();
        }
    }

    /** Runs an action while no other thread writes. */
    public final void exclusively(Runnable action) {
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

    public final int waiting() {
        return queue.size();
    }

    /**
     * Writes the queue until the leader's own request is written, and for a while longer. A lone request is written
     * without being queued.
     *
     * @return whether its own request is or was in the queue
     */
    private boolean lead(R own, boolean queued) {
        long start = System.nanoTime();
        boolean lone = !queued && queue.isEmpty();
        if (lone) {
            write(own, queue);
        } else if (!queued) {
            queue.add(own);
        }
        while (!queue.isEmpty()
                && (!own.isDone() || (exclusive.get() == 0 && System.nanoTime() - start < LONGEST_LEAD))) {
            R next = queue.poll();
            if (next != null) {
                writeOthers(next, own.isDone());
            }
        }
        return !lone;
    }

    /** An error of other requests, after the leader's own was written, does not concern the leader. */
    private void writeOthers(R next, boolean ownWritten) {
        try {
            write(next, queue);
        } catch (RuntimeException | Error e) {
            if (!ownWritten) {
                throw e;
            }
            System.getLogger(getClass().getPackageName())
                    .log(
                            System.Logger.Level.ERROR,
                            "requests of other threads could not be written, and they were told so",
                            e);
        }
    }

    /** Wakes the next in the queue: it sleeps because it found the lock taken. */
    protected final void wakeNext() {
        R next = queue.peek();
        if (next != null) {
            next.wakeUp();
        }
    }
}
