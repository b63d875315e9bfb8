package dev.idem.cli.run;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Passes a command's output on to its reader on a separate thread, so that recording never waits for a reader that is
 * slow, stopped or gone. It never writes under its lock. A reader that has gone (such as {@code head}) ends only the
 * passing on.
 */
final class Passage {
    /** The buffer for the reader once the output is too large to be recorded. */
    private static final int ROOM = 1024 * 1024;

    private final OutputStream to;
    private final String name;
    private ByteArrayOutputStream waiting = new ByteArrayOutputStream(512);
    private boolean started;
    private boolean writing;
    private boolean closed;
    private boolean gone;

    Passage(String name, OutputStream to) {
        this.name = name;
        this.to = to;
    }

    /** Takes bytes without waiting. */
    synchronized void give(byte[] bytes, int length) {
        if (gone || closed || length == 0) {
            return;
        }
        waiting.write(bytes, 0, length);
        notifyAll();
        if (!started) {
            started = true;
            Thread thread = new Thread(this::run, name);
            thread.setDaemon(true);
            thread.start();
        }
    }

    /**
     * Waits until the reader has taken enough; this slows the command down as any pipe does.
     *
     * @param noLonger whether waiting is no longer needed; asked again after {@link #wake()}
     */
    synchronized void awaitRoom(BooleanSupplier noLonger) throws InterruptedException {
        while (waiting.size() > ROOM && !gone && !closed && !noLonger.getAsBoolean()) {
            wait();
        }
    }

    synchronized void wake() {
        notifyAll();
    }

    /** Takes no more, and waits until the reader has everything or has gone. */
    synchronized void drain() throws InterruptedException {
        closed = true;
        notifyAll();
        while (writing || (waiting.size() > 0 && !gone)) {
            wait();
        }
    }

    private void run() {
        try {
            for (ByteArrayOutputStream taken = take(); taken != null; taken = take()) {
                boolean failed = true;
                try {
                    taken.writeTo(to);
                    to.flush();
                    failed = false;
                } catch (IOException e) {
                    // The reader has gone.
                } finally {
                    // Also after an error: otherwise the thread that drains the passage would wait for ever.
                    written(failed);
                }
            }
        } catch (InterruptedException e) {
            written(true);
        }
    }

    /** The next bytes to write; null at the end. */
    private synchronized @Nullable ByteArrayOutputStream take() throws InterruptedException {
        while (waiting.size() == 0 && !closed) {
            wait();
        }
        if (waiting.size() == 0) {
            return null;
        }
        ByteArrayOutputStream taken = waiting;
        waiting = new ByteArrayOutputStream(512);
        writing = true;
        notifyAll();
        return taken;
    }

    private synchronized void written(boolean failed) {
        writing = false;
        if (failed) {
            gone = true;
            waiting = new ByteArrayOutputStream(0);
        }
        notifyAll();
    }
}
