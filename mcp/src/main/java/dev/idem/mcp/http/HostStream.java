package dev.idem.mcp.http;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Events for a host. Another thread writes them, so that a host that does not read blocks no other one. A stream without
 * new events needs no thread. Thread-safe.
 */
final class HostStream {
    private static final System.Logger LOG = System.getLogger("dev.idem.mcp");
    private static final int MOST_WAITING = 16 * 1024 * 1024;
    private static final byte[] COMMENT = ":\n\n".getBytes(StandardCharsets.US_ASCII);

    private final Executor workers;
    private final Runnable whenGone;
    private final Queue<byte[]> waiting = new ArrayDeque<>();
    private final CompletableFuture<Void> written = new CompletableFuture<>();
    private @Nullable OutputStream out;
    private long size;
    private boolean writing;
    private boolean gone;
    private boolean ended;

    /**
     * A stream that is not open yet: events wait.
     *
     * @param whenGone is called when an event can't be written
     */
    HostStream(Executor workers, Runnable whenGone) {
        this.workers = workers;
        this.whenGone = whenGone;
    }

    /** Starts to write events. Called once. */
    synchronized void open(OutputStream to) {
        out = to;
        // JDK 25 sends the head of a response with the first byte of its body, and that may come much later.
        waiting.add(new byte[0]);
        write();
    }

    /** Adds an event, and tells whether the host is there. A host that leaves too many unread counts as gone. */
    synchronized boolean offer(byte[] event) {
        gone |= size > MOST_WAITING;
        return add(event);
    }

    /** Adds an event when there is room for it, and tells whether the host is there. */
    synchronized boolean put(byte[] event) throws InterruptedException {
        while (size > MOST_WAITING && !gone) {
            wait();
        }
        return add(event);
    }

    private boolean add(byte[] event) {
        if (!gone && !ended) {
            waiting.add(event);
            size += event.length;
            write();
        }
        notifyAll();
        return !gone;
    }

    /** Sends something that hosts ignore, and tells whether the host is there. */
    synchronized boolean ping() {
        return waiting.isEmpty() ? add(COMMENT) : !gone;
    }

    /**
     * Returns when all events are written, when the host is gone, or when it is too late.
     *
     * @param end a time of {@link System#nanoTime}
     */
    synchronized void awaitWritten(long end) throws InterruptedException {
        long left = end - System.nanoTime();
        while ((writing || !waiting.isEmpty()) && !gone && left > 0) {
            TimeUnit.NANOSECONDS.timedWait(this, left);
            left = end - System.nanoTime();
        }
    }

    /** Returns when the host has all events, or is gone. */
    void finish() {
        synchronized (this) {
            ended = true;
            notifyAll();
            if (gone || !writing) {
                return;
            }
        }
        written.join();
    }

    /** Lets a thread write what waits, if none does. */
    private void write() {
        OutputStream to = out;
        if (to == null || writing) {
            return;
        }
        writing = true;
        try {
            workers.execute(() -> writeAll(to));
        } catch (RejectedExecutionException e) {
            // The guard has ended.
            writing = false;
            leave();
        }
    }

    private void writeAll(OutputStream to) {
        boolean all = false;
        try {
            for (byte[] next = take(); next != null; next = take()) {
                to.write(next);
                to.flush();
            }
            all = true;
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "the host is gone", e);
        } finally {
            if (!all) {
                leave();
                whenGone.run();
            }
        }
    }

    /** The next event; null where there is none, so that the thread has no more to do. */
    private synchronized byte @Nullable [] take() {
        byte[] next = gone ? null : waiting.poll();
        size -= next == null ? 0 : next.length;
        stopped(next == null);
        return next;
    }

    private synchronized void leave() {
        gone = true;
        waiting.clear();
        stopped(true);
    }

    private void stopped(boolean nothingLeft) {
        writing &= !nothingLeft;
        if (nothingLeft && ended) {
            written.complete(null);
        }
        notifyAll();
    }
}
