package dev.idem.postgresql;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The state of the listening thread: whether it runs, and whether it is connected. */
final class Listening {
    private static final long PATIENCE = Duration.ofSeconds(2).toNanos();

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private @Nullable Thread thread;
    private boolean established;
    private boolean closed;

    /** Starts the thread if there is none, and waits a little until it is connected. */
    void start(Runnable work) {
        lock.lock();
        try {
            if (thread == null && !closed) {
                thread = new Thread(work, "idem-postgresql-listener");
                thread.setDaemon(true);
                thread.start();
            }
            long left = PATIENCE;
            while (!established && !closed && left > 0) {
                left = changed.awaitNanos(left);
            }
        } catch (InterruptedException e) {
            // The waiter sees the interrupt itself; until then it may miss a wake-up.
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
    }

    /** Whether the thread should continue. */
    boolean wanted() {
        lock.lock();
        try {
            return !closed && thread == Thread.currentThread();
        } finally {
            lock.unlock();
        }
    }

    void established() {
        set(true);
    }

    void interrupted() {
        set(false);
    }

    private void set(boolean through) {
        lock.lock();
        try {
            // A thread that was replaced must not report for its successor.
            if (thread == Thread.currentThread()) {
                established = through;
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Ends the thread if it is idle, unless a waiter has come meanwhile. */
    void endIf(BooleanSupplier idle) {
        lock.lock();
        try {
            if (idle.getAsBoolean()) {
                thread = null;
                established = false;
            }
        } finally {
            lock.unlock();
        }
    }

    void close() {
        Thread ending;
        lock.lock();
        try {
            closed = true;
            ending = thread;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        if (ending != null && ending != Thread.currentThread()) {
            try {
                ending.join(TimeUnit.NANOSECONDS.toMillis(PATIENCE));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
