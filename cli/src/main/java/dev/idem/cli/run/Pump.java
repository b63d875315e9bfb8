package dev.idem.cli.run;

import dev.idem.cli.recorded.Recording;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Records the output of a command and passes it on. */
final class Pump {
    /** More than a pipe can hold. After reading this much since the command's end, all its output has been read. */
    private static final long LARGEST_PIPE = 1024 * 1024;

    private static final Duration LOOK_AGAIN = Duration.ofMillis(50);

    private final InputStream from;
    private final @Nullable Passage live;
    private final Recording.Track track;
    private final Thread thread;
    private final AtomicLong read = new AtomicLong();
    private volatile long takenAtOnce;
    private volatile boolean busy;

    /** {@code live} passes the output on; null to only record. */
    Pump(String name, InputStream from, @Nullable Passage live, Recording.Track track) {
        this.from = from;
        this.live = live;
        this.track = track;
        this.thread = new Thread(this::run, name);
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    /**
     * Whether the stream of an ended command ended within this time. If not, a remaining process holds it open; all
     * output of the command itself has been read all the same.
     */
    boolean ended(Duration atMost) throws InterruptedException {
        long all = read.get() + LARGEST_PIPE;
        takenAtOnce = all;
        if (live != null) {
            live.wake();
        }
        thread.join(Math.max(1, atMost.toMillis()));
        while (thread.isAlive() && read.get() < all && !isDry()) {
            thread.join(LOOK_AGAIN.toMillis());
        }
        return !thread.isAlive();
    }

    /**
     * Whether the pipe was empty once, and everything read before is recorded. Later output comes from other processes
     * and may never end.
     */
    private boolean isDry() throws InterruptedException {
        if (unread() > 0) {
            return false;
        }
        long before = read.get();
        thread.join(LOOK_AGAIN.toMillis());
        return !busy || read.get() != before;
    }

    /** The number of bytes in the pipe. Java empties its own pipes when their process ends. */
    private int unread() {
        try {
            return from instanceof FileInputStream pipe ? pipe.available() : 0;
        } catch (IOException e) {
            return 0;
        }
    }

    private void run() {
        boolean toItsEnd = false;
        try (InputStream open = from) {
            byte[] buffer = new byte[64 * 1024];
            for (int n = open.read(buffer); n >= 0; n = open.read(buffer)) {
                busy = true;
                take(buffer, n);
                busy = false;
            }
            toItsEnd = true;
        } catch (IOException | InterruptedException e) {
            // Java closes its own pipes when the command ends. Our pipes stay open and must be closed here.
            toItsEnd = !(from instanceof FileInputStream);
        } finally {
            if (!toItsEnd) {
                track.lose();
            }
        }
    }

    private void take(byte[] buffer, int n) throws InterruptedException {
        boolean whole = false;
        try {
            whole = track.write(buffer, n);
            if (live != null) {
                live.give(buffer, n);
            }
        } catch (RuntimeException | Error e) {
            // For instance out of memory. Stopping here would look like the end of the output, and the command would
            // block on a full pipe: the rest is read, and nothing is kept.
            track.lose();
        }
        read.addAndGet(n);
        if (live != null && !whole) {
            // The remaining output of an ended command is read without waiting for the reader.
            live.awaitRoom(() -> read.get() < takenAtOnce);
        }
    }
}
