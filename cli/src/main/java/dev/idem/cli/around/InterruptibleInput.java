package dev.idem.cli.around;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/**
 * An input whose reader can be interrupted. A thread that waits for a terminal or a pipe can't be woken, so a second
 * thread waits there; it starts at the first read.
 */
public final class InterruptibleInput extends InputStream {
    private static final int CHUNK = 64 * 1024;

    private final InputStream from;
    private final byte[] chunk = new byte[CHUNK];
    private @Nullable FutureTask<Integer> pending;
    private int next;
    private int end;

    public InterruptibleInput(InputStream from) {
        this.from = from;
    }

    /** The input behind this one. Its reader can't be interrupted, and needs no second thread for each read. */
    public static InputStream direct(InputStream in) {
        return in instanceof InterruptibleInput input ? input.from : in;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        if (next == end && !fill()) {
            return -1;
        }
        int count = Math.min(length, end - next);
        System.arraycopy(chunk, next, bytes, offset, count);
        next += count;
        return count;
    }

    /** False at the end of the input. */
    private boolean fill() throws IOException {
        FutureTask<Integer> reading = pending;
        if (reading == null) {
            reading = new FutureTask<>(() -> from.read(chunk));
            pending = reading;
            Thread thread = new Thread(reading, "idem-stdin");
            thread.setDaemon(true);
            thread.start();
        }
        int count;
        try {
            count = reading.get();
        } catch (InterruptedException e) {
            // The pending bytes are kept for the next read.
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while reading stdin");
        } catch (ExecutionException e) {
            pending = null;
            throw new IOException("stdin can't be read", e.getCause());
        }
        pending = null;
        next = 0;
        end = Math.max(0, count);
        return count > 0;
    }
}
