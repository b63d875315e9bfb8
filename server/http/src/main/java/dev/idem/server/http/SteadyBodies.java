package dev.idem.server.http;

import java.time.Duration;
import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * Gives each body some time, and more for each byte that has come. Jetty's own handler for this compares with the bytes of
 * all requests together, so it ends no slow one on a busy server.
 */
final class SteadyBodies extends Handler.Wrapper {
    private final Duration patience;
    private final long nanosForAByte;

    SteadyBodies(Handler handler, Duration patience, int bytesASecond) {
        super(handler);
        this.patience = patience;
        this.nanosForAByte = Duration.ofSeconds(1).toNanos() / bytesASecond;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        return super.handle(new Timed(request), response, callback);
    }

    /** A request whose body ends with an error when it is too slow. */
    private final class Timed extends Request.Wrapper {
        private final long began = System.nanoTime();
        private long bytes;
        private boolean late;

        Timed(Request request) {
            super(request);
        }

        @Override
        public void demand(Runnable whenThere) {
            late = System.nanoTime() - began > patience.toNanos() + bytes * nanosForAByte;
            if (late) {
                whenThere.run();
            } else {
                super.demand(whenThere);
            }
        }

        @Override
        public Content.Chunk read() {
            if (late) {
                return Content.Chunk.from(new TimeoutException("the body comes too slowly"));
            }
            Content.Chunk chunk = super.read();
            if (chunk != null) {
                bytes += chunk.remaining();
            }
            return chunk;
        }
    }
}
