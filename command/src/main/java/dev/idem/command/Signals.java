package dev.idem.command;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Receives INT, TERM and HUP. Before a command runs, a signal ends the call; while it runs, the signal goes to it;
 * afterwards the outcome of the command stays, and the signal only prevents further starts. No signal is lost.
 *
 * <p>Thread-safe. Nothing that may block is done under its lock.
 */
public final class Signals {
    /** The phase of the call, which decides the effect of a signal. */
    private enum Phase {
        /** Interrupts the caller, once: no command has started. */
        BEFORE,
        /** Interrupts the caller, once: it is the command. */
        ACTING,
        /** Goes to the command, which is another process. */
        RUNNING,
        /** Is remembered: interrupting the caller could disturb what it writes to the ledger. */
        RECORDING,
        /** Interrupts the caller, who only waits for the readers of the output. */
        DELIVERING,
        /** Ends the process: the answer is known and is being written. */
        ANSWERING
    }

    /** A signal that has come, by its name without SIG. */
    public record Caught(String name, int number) {
        /** The exit code of a process that it ends. */
        public int exit() {
            return ExitCode.FIRST_SIGNAL + number;
        }
    }

    private final Set<Signals> parts = ConcurrentHashMap.newKeySet();
    private Thread caller;
    private Phase phase = Phase.BEFORE;
    private @Nullable Consumer<String> command;
    private @Nullable Caught caught;
    private boolean ran;
    private int answer;

    /** {@code caller} is the thread that a signal interrupts before the command runs. */
    public Signals(Thread caller) {
        this.caller = caller;
    }

    /** A signal has come. */
    public void receive(String name, int number) {
        Consumer<String> running = received(new Caught(name, number));
        if (running != null) {
            running.accept(name);
        }
        parts.forEach(part -> part.receive(name, number));
    }

    /** Returns the command that must get the signal; null if the signal was already handled. */
    private synchronized @Nullable Consumer<String> received(Caught signal) {
        if (phase == Phase.ANSWERING) {
            Runtime.getRuntime().halt(answer);
        }
        boolean waits = phase == Phase.BEFORE || phase == Phase.ACTING;
        if (phase == Phase.DELIVERING || (waits && caught == null)) {
            caller.interrupt();
        }
        caught = caught == null ? signal : caught;
        notifyAll();
        return phase == Phase.RUNNING ? command : null;
    }

    /** The signals of one of several worker threads. It gets every signal, also an earlier one. */
    public Signals part(Thread thread) {
        Signals part = new Signals(thread);
        parts.add(part);
        Caught before = caught();
        if (before != null) {
            part.receive(before.name(), before.number());
        }
        return part;
    }

    /** The first signal that has come; null while there was none. */
    public synchronized @Nullable Caught caught() {
        return caught;
    }

    /** The caller begins to act, and a signal interrupts it. False after an earlier signal: it must not act. */
    public boolean begin() {
        return start(Phase.ACTING, null);
    }

    /** Passes signals to the command by name. False after an earlier signal: the command must not run. */
    public boolean handTo(Consumer<String> started) {
        return start(Phase.RUNNING, started);
    }

    private synchronized boolean start(Phase next, @Nullable Consumer<String> started) {
        if (caught != null) {
            ended();
            return false;
        }
        command = started;
        phase = next;
        ran = true;
        return true;
    }

    /** The command has ended. Recording its outcome must not be interrupted. */
    public synchronized void ended() {
        phase = Phase.RECORDING;
        command = null;
        if (caught != null && Thread.currentThread().equals(caller)) {
            Thread.interrupted();
        }
    }

    /** Waits before another try. False as soon as there is a signal: there must be no other try. */
    public synchronized boolean pause(Duration time) throws InterruptedException {
        long until = System.nanoTime() + time.toNanos();
        for (long left = time.toNanos(); caught == null && left > 0; left = until - System.nanoTime()) {
            TimeUnit.NANOSECONDS.timedWait(this, left);
        }
        return caught == null;
    }

    /** Prepares for the next item. False after a signal: there must be no other. */
    public synchronized boolean again(Thread thread) {
        caller = thread;
        phase = caught == null ? Phase.BEFORE : Phase.RECORDING;
        return caught == null;
    }

    /** All is recorded. The calling thread waits for the readers of the output, until a signal interrupts it. */
    public synchronized void delivering() {
        caller = Thread.currentThread();
        phase = Phase.DELIVERING;
    }

    /** Only the answer is left to be written. A signal then ends the process, even if the reader does not read. */
    public synchronized void answering(int exit) {
        answer = exit;
        phase = Phase.ANSWERING;
    }

    /** The exit code for a signal that ended the call before any command ran; null when there was none. */
    public synchronized @Nullable Integer exitCode() {
        return caught == null || ran ? null : caught.exit();
    }
}
