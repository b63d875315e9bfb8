package dev.idem.server.http;

import java.io.ByteArrayOutputStream;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.Promise;

/**
 * Reads the body of a request, of at most so many bytes. Where there are more, Jetty's own reader fails the request after it
 * was answered, and by then this may be the next one of its connection.
 */
final class Body implements Runnable {
    private final Request request;
    private final int largest;
    private final Promise<byte[]> whole;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private long size;

    private Body(Request request, int largest, Promise<byte[]> whole) {
        this.request = request;
        this.largest = largest;
        this.whole = whole;
    }

    /** Reads it as it comes; more bytes are an {@link IllegalStateException}. */
    static void read(Request request, int largest, Promise<byte[]> whole) {
        new Body(request, largest, whole).run();
    }

    @Override
    public void run() {
        while (size <= 2L * largest) {
            Content.Chunk chunk = request.read();
            if (chunk == null) {
                request.demand(this);
                return;
            }
            if (Content.Chunk.isFailure(chunk)) {
                whole.failed(chunk.getFailure());
                return;
            }
            keep(chunk);
            if (chunk.isLast() && size <= largest) {
                whole.succeeded(bytes.toByteArray());
                return;
            } else if (chunk.isLast()) {
                break;
            }
        }
        whole.failed(new IllegalStateException("the body has more than " + largest + " bytes"));
    }

    /** What is too much is read too, within reason: who still sends may never see the answer. */
    private void keep(Content.Chunk chunk) {
        byte[] some = new byte[chunk.remaining()];
        chunk.get(some, 0, some.length);
        chunk.release();
        size += some.length;
        if (size <= largest && request.getLength() <= largest) {
            bytes.writeBytes(some);
        } else {
            bytes.reset();
        }
    }
}
