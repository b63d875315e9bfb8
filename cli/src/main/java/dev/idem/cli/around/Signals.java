package dev.idem.cli.around;

import dev.idem.cli.envelope.Exit;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Receives INT, TERM and HUP. Before a command runs a signal ends the call; while one runs the signal is passed on to
 * it; afterwards the end of the command stands, and the signal only prevents further starts. A signal is never
 * forgotten.
 */
public final class Signals {
    /** What a signal does now. */
    private enum Phase {
        /** Interrupts the caller, once: no command has started. */
        BEFORE,
        /** Goes to the command. */
        RUNNING,
        /** Is remembered: interrupting the caller could disturb what it writes to the ledger. */
        RECORDING,
        /** Interrupts the caller, who only waits for the readers of the output. */
        DELIVERING,
        /** Ends the process: the answer is known and is being written. */
        ANSWERING
    }

    private record Caught(String name, int number) {}

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition came = lock.newCondition();
    private final Set<Signals> parts = ConcurrentHashMap.newKeySet();
    private Thread caller;
    private Phase phase = Phase.BEFORE;
    private @Nullable Consumer<String> command;
    private @Nullable Caught caught;
    private boolean ran;
    private int answer;

    /** Made with {@code caller}: interrupted when a signal comes before the command runs */
    public Signals(Thread caller) {
        this.caller = caller;
    }

    /** A signal has come. */
    public void receive(String name, int number) {
        Consumer<String> running;
        lock.lock();
        try {
            if (phase == Phase.ANSWERING) {
                Runtime.getRuntime().halt(answer);
            }
            if (phase == Phase.DELIVERING || (phase == Phase.BEFORE && caught == null)) {
                caller.interrupt();
            }
            caught = caught == null ? new Caught(name, number) : caught;
            came.signalAll();
            running = phase == Phase.RUNNING ? command : null;
        } finally {
            lock.unlock();
        }
        if (running != null) {
            running.accept(name);
        }
        parts.forEach(part -> part.receive(name, number));
    }

    /** For a thread that works beside others: it receives whatever comes here, also what has come already. */
    public Signals part(Thread thread) {
        Signals part = new Signals(thread);
        parts.add(part);
        Caught before = caught();
        if (before != null) {
            part.receive(before.name(), before.number());
        }
        return part;
    }

    private @Nullable Caught caught() {
        lock.lock();
        try {
            return caught;
        } finally {
            lock.unlock();
        }
    }

    /** From now on signals go to the command, by their names; false when one came before, and the command must not run. */
    public boolean handTo(Consumer<String> started) {
        lock.lock();
        try {
            if (caught != null) {
                recording();
                return false;
            }
            command = started;
            phase = Phase.RUNNING;
            ran = true;
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** The command has ended. */
    public void ended() {
        lock.lock();
        try {
            recording();
        } finally {
            lock.unlock();
        }
    }

    /** The signal is remembered; its mark on the thread would break what is written to the ledger next. */
    private void recording() {
        phase = Phase.RECORDING;
        command = null;
        if (caught != null && Thread.currentThread().equals(caller)) {
            Thread.interrupted();
        }
    }

    /** Waits before one more try; false at once when a signal has come or comes, and there must be no other. */
    public boolean pause(Duration time) throws InterruptedException {
        lock.lock();
        try {
            long left = time.toNanos();
            while (caught == null && left > 0) {
                left = came.awaitNanos(left);
            }
            return caught == null;
        } finally {
            lock.unlock();
        }
    }

    /** Makes ready for another piece of work; false when a signal has come, and there must be no other. */
    public boolean again(Thread thread) {
        lock.lock();
        try {
            caller = thread;
            phase = caught == null ? Phase.BEFORE : Phase.RECORDING;
            return caught == null;
        } finally {
            lock.unlock();
        }
    }

    /** All is recorded; the calling thread waits for those who read the output, until a signal interrupts it. */
    public void delivering() {
        lock.lock();
        try {
            caller = Thread.currentThread();
            phase = Phase.DELIVERING;
        } finally {
            lock.unlock();
        }
    }

    /** All is done but for writing the answer; a reader that does not read can't keep the process from ending. */
    public void answering(int exit) {
        lock.lock();
        try {
            answer = exit;
            phase = Phase.ANSWERING;
        } finally {
            lock.unlock();
        }
    }

    /** The exit code for a signal that ended the call before any command ran; null when there was none. */
    @Nullable
    public Integer exitCode() {
        lock.lock();
        try {
            return caught == null || ran ? null : Exit.FIRST_SIGNAL + caught.number();
        } finally {
            lock.unlock();
        }
    }
}
