package dev.idem.http.servlet;

import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import java.io.IOException;
import java.io.InputStream;

/** A body that is there as a whole. */
final class BodyStream extends ServletInputStream {
    private final InputStream in;
    private boolean finished;

    BodyStream(InputStream in) {
        this.in = in;
    }

    @Override
    public int read() throws IOException {
        int next = in.read();
        finished |= next < 0;
        return next;
    }

    @Override
    public int read(byte[] into, int from, int length) throws IOException {
        int count = in.read(into, from, length);
        finished |= count < 0;
        return count;
    }

    @Override
    public boolean isFinished() {
        return finished;
    }

    @Override
    public boolean isReady() {
        return true;
    }

    @Override
    public void setReadListener(ReadListener listener) {
        try {
            while (!finished) {
                listener.onDataAvailable();
            }
            listener.onAllDataRead();
        } catch (IOException | RuntimeException e) {
            listener.onError(e);
        }
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
