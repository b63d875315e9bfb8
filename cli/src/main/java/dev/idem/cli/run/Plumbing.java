package dev.idem.cli.run;

import java.io.IOException;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jspecify.annotations.Nullable;

/**
 * The pipes of a thread that runs commands one after another. They are created once: creating them takes longer than
 * starting a command, and no process may be started meanwhile.
 */
final class Plumbing implements AutoCloseable {
    /**
     * A new pipe is found by comparing descriptors, so only one thread at a time may create pipes. A start creates some
     * for a moment, so it excludes creating pipes; starts do not exclude each other.
     */
    private static final ReentrantReadWriteLock PIPES = new ReentrantReadWriteLock();

    private final boolean keeps;
    private @Nullable Conduits spare;

    /** {@code keeps} means that the pipes of a command are reused for the next one. */
    Plumbing(boolean keeps) {
        this.keeps = keeps;
    }

    /** Starts a process. */
    interface Start<T> {
        T start() throws IOException;
    }

    /** Starts a process while no thread creates pipes. */
    static <T> T start(Start<T> start) throws IOException {
        PIPES.readLock().lock();
        try {
            return start.start();
        } finally {
            PIPES.readLock().unlock();
        }
    }

    /**
     * Pipes for one command; null if the host has no {@code /proc} that shows them.
     *
     * @param word that opens the gate
     */
    @Nullable
    Conduits take(String word) throws IOException {
        Conduits kept = spare;
        if (kept != null) {
            spare = null;
            return kept.with(word);
        }
        PIPES.writeLock().lock();
        try {
            return Conduits.make(ProcessHandle.current().pid(), word);
        } finally {
            PIPES.writeLock().unlock();
        }
    }

    /**
     * Returns pipes after a command.
     *
     * @param empty whether the command has ended, and the pipes are empty and no other process holds them
     */
    void giveBack(@Nullable Conduits conduits, boolean empty) throws IOException {
        if (keeps && empty) {
            spare = conduits;
        } else if (conduits != null) {
            conduits.close();
        }
    }

    @Override
    public void close() throws IOException {
        giveBack(spare, false);
        spare = null;
    }
}
