package dev.idem.cli.run;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Passes a command's output on to its reader on a thread of its own, so that recording never waits for a reader that is
 * slow, stopped or gone. The lock is never held while it writes. A reader that went away (as {@code head} does) ends the passing on and nothing else.
 */
final class Passage {
    /** How much may wait for the reader when the output is too large to be recorded anyway. */
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

    /** Takes bytes without waiting for anybody. */
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
     * Waits until the reader has taken enough; the command is then slowed down as by any pipe.
     *
     * @param noLonger whether there is no need to wait any more; asked again after {@link #wake()}
     */
    synchronized void awaitRoom(BooleanSupplier noLonger) throws InterruptedException {
        while (waiting.size() > ROOM && !gone && !closed && !noLonger.getAsBoolean()) {
            wait();
        }
    }

    synchronized void wake() {
        notifyAll();
    }

    /** Takes no more, and waits until the reader has everything or is gone. */
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
                    // The reader has gone away.
                } finally {
                    // Also after an error: otherwise the thread that drains the passage would wait for ever.
                    written(failed);
                }
            }
        } catch (InterruptedException e) {
            written(true);
        }
    }

    /** What is to be written next; null when there will be no more. */
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
