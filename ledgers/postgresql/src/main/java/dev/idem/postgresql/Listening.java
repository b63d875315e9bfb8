package dev.idem.postgresql;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Whether there is a thread that listens, and whether it has got through to the server. */
final class Listening {
    private static final long PATIENCE = Duration.ofSeconds(2).toNanos();

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private @Nullable Thread thread;
    private boolean established;
    private boolean closed;

    /** Starts the thread where there is none, and waits a little until it has got through. */
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
            // The waiter will notice by itself; it only has not made sure that it will be woken.
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
    }

    /** Whether the thread should go on. */
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
            // One that was given up must not speak for its successor.
            if (thread == Thread.currentThread()) {
                established = through;
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Gives the thread up when nobody needs it, unless somebody has come meanwhile. */
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
