package dev.idem.conformance;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** A stream of bytes that any thread may write. The pipes of Java break when the thread that wrote last has ended. */
final class LineQueue extends InputStream {
    private static final byte[] END = new byte[0];

    private final BlockingQueue<byte[]> queue = new LinkedBlockingQueue<>();
    private byte[] now = new byte[0];
    private int at;
    private boolean ended;

    void put(byte[] bytes) {
        if (bytes.length > 0) {
            queue.add(bytes);
        }
    }

    /** The reader gets the rest, and then the end. */
    void end() {
        queue.add(END);
    }

    private boolean fill() throws IOException {
        while (at == now.length && !ended) {
            try {
                now = queue.take();
                at = 0;
                ended = now.length == 0;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new InterruptedIOException();
            }
        }
        return !ended;
    }

    @Override
    public int read() throws IOException {
        return fill() ? now[at++] & 0xff : -1;
    }

    @Override
    public int read(byte[] into, int from, int most) throws IOException {
        if (most == 0) {
            return 0;
        } else if (!fill()) {
            return -1;
        }
        int length = Math.min(most, now.length - at);
        System.arraycopy(now, at, into, from, length);
        at += length;
        return length;
    }
}
