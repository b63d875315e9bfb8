package dev.idem.clikit;

import dev.idem.NotExecutedException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of INT, TERM and HUP. Before the command acts they end the call; while it acts its thread is interrupted;
 * afterwards they are too late to change anything but the exit code.
 */
final class Interruption {
    /** A signal that has come. */
    record Caught(String name, int number) {
        int exit() {
            return 128 + number;
        }
    }

    private enum Phase {
        BEFORE,
        ACTING,
        AFTER
    }

    private final Thread worker;
    private final ReentrantLock lock = new ReentrantLock();
    private final CountDownLatch ended = new CountDownLatch(1);
    private final AtomicBoolean answered = new AtomicBoolean();
    private Phase phase = Phase.BEFORE;
    private boolean acted;
    private @Nullable Caught caught;

    /** Made with {@code worker}: the thread that runs the command */
    Interruption(Thread worker) {
        this.worker = worker;
    }

    /** A signal has come; those after the first change nothing. */
    void receive(String name, int number) {
        lock.lock();
        try {
            if (caught == null) {
                caught = new Caught(name, number);
                if (phase != Phase.AFTER) {
                    worker.interrupt();
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * The command begins to act, unless a signal came before.
     *
     * @param changes whether it may change anything
     */
    void begin(boolean changes) {
        lock.lock();
        try {
            if (caught != null) {
                throw new NotExecutedException("SIG" + caught.name() + " came before the command began");
            }
            phase = Phase.ACTING;
            acted = changes;
        } finally {
            lock.unlock();
        }
    }

    /** The command has acted. What is left is to write that down, which no interrupt may disturb. */
    void end() {
        lock.lock();
        try {
            phase = Phase.AFTER;
            if (caught != null) {
                Thread.interrupted();
            }
        } finally {
            lock.unlock();
        }
    }

    @Nullable
    Caught caught() {
        lock.lock();
        try {
            return caught;
        } finally {
            lock.unlock();
        }
    }

    /** Whether the command may have done something by now. */
    boolean acted() {
        lock.lock();
        try {
            return acted;
        } finally {
            lock.unlock();
        }
    }

    /** True for the one who may answer: there is one envelope. */
    boolean mayAnswer() {
        return answered.compareAndSet(false, true);
    }

    /** Counted down when the answer is out. */
    CountDownLatch ended() {
        return ended;
    }
}
