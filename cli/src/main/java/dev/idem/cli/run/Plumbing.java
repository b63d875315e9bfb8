package dev.idem.cli.run;

import java.io.IOException;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jspecify.annotations.Nullable;

/**
 * The pipes of a thread that runs commands one after another. They are made once: to make them takes longer than to
 * start a command, and nothing else may be started meanwhile.
 */
final class Plumbing implements AutoCloseable {
    /**
     * A new pipe is told from those this process had before, so only one thread at a time may make any. A start makes
     * some of its own for a moment, so there is none meanwhile; starts do not disturb each other.
     */
    private static final ReentrantReadWriteLock PIPES = new ReentrantReadWriteLock();

    private final boolean keeps;
    private @Nullable Conduits spare;

    /** Made with {@code keeps}: whether the pipes of a command are used for the next one. */
    Plumbing(boolean keeps) {
        this.keeps = keeps;
    }

    /** Something that starts a process. */
    interface Start<T> {
        T start() throws IOException;
    }

    /** Starts a process while no thread makes pipes. */
    static <T> T start(Start<T> start) throws IOException {
        PIPES.readLock().lock();
        try {
            return start.start();
        } finally {
            PIPES.readLock().unlock();
        }
    }

    /**
     * Pipes for one command; null where the host has no {@code /proc} that shows them.
     *
     * @param word what opens the gate
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
     * Takes them back.
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
