package dev.idem.mcp;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** Events for a host. A thread of its own writes them, so that a host that does not read blocks no other thread. Thread-safe. */
final class HostStream {
    private static final int MOST_WAITING = 16 * 1024 * 1024;
    private static final byte[] COMMENT = ":\n\n".getBytes(StandardCharsets.US_ASCII);

    private final OutputStream out;
    private final Runnable whenGone;
    private final Queue<byte[]> waiting = new ArrayDeque<>();
    private final CompletableFuture<Void> written = new CompletableFuture<>();
    private long size;
    private boolean gone;
    private boolean ended;

    /**
     * Starts to write events.
     *
     * @param whenGone is called when an event can't be written
     */
    HostStream(OutputStream out, Executor workers, Runnable whenGone) {
        this.out = out;
        this.whenGone = whenGone;
        workers.execute(this::writeAll);
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
        }
        notifyAll();
        return !gone;
    }

    /** Sends something that hosts ignore, and tells whether the host is there. */
    synchronized boolean ping() {
        return waiting.isEmpty() ? add(COMMENT) : !gone;
    }

    /** Returns when the host has all events, or is gone. */
    void finish() {
        synchronized (this) {
            ended = true;
            notifyAll();
            if (gone) {
                return;
            }
        }
        written.join();
    }

    private void writeAll() {
        try {
            for (byte[] next = take(); next != null; next = take()) {
                out.write(next);
                out.flush();
            }
        } catch (IOException | InterruptedException e) {
            // The host is gone, or the guard ends.
            leave();
            whenGone.run();
        } finally {
            written.complete(null);
        }
    }

    private synchronized byte @Nullable [] take() throws InterruptedException {
        while (waiting.isEmpty() && !ended && !gone) {
            wait();
        }
        byte[] next = gone ? null : waiting.poll();
        size -= next == null ? 0 : next.length;
        notifyAll();
        return next;
    }

    private synchronized void leave() {
        gone = true;
        waiting.clear();
        notifyAll();
    }
}
