package dev.idem.http.client;

import java.io.IOException;
import java.net.HttpRetryException;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.ByteBuffer;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * The body of a request whose client may have an authenticator. Such a client answers each 401 and 407 by sending the
 * request again, with what the authenticator gives, five times in all. This body can be sent twice: the client asks for
 * its length before it sends anything of a try, and once for each.
 */
final class AuthenticatedBody implements BodyPublisher {
    static final int UNAUTHORIZED = 401;
    private static final int MOST = 2;
    private static final String AUTHENTICATION = "jdk.internal.net.http.AuthenticationFilter";

    private final BodyPublisher bytes;
    private final boolean authenticates;
    private final AtomicInteger tries = new AtomicInteger();

    AuthenticatedBody(byte[] body, boolean authenticates) {
        this.bytes = BodyPublishers.ofByteArray(body);
        this.authenticates = authenticates;
    }

    /** Ends a try before it is sent. */
    private static final class RefusedTwice extends IllegalStateException {
        private static final long serialVersionUID = 1;

        RefusedTwice() {
            super("the request was refused without and with credentials");
        }
    }

    @Override
    public long contentLength() {
        if (tries.incrementAndGet() > MOST && authenticates) {
            throw new RefusedTwice();
        }
        return bytes.contentLength();
    }

    @Override
    public void subscribe(Flow.Subscriber<? super ByteBuffer> subscriber) {
        bytes.subscribe(subscriber);
    }

    /**
     * The exception behind a failed try. Where the client gave up authenticating, it says that the remote has refused the
     * request: the client asks for credentials only after that.
     */
    IOException unwrapped(ExecutionException failed) {
        boolean refused = authenticates
                && Stream.iterate((Throwable) failed, cause -> cause != null, Throwable::getCause)
                        .anyMatch(cause -> cause instanceof RefusedTwice
                                || Stream.of(cause.getStackTrace())
                                        .anyMatch(line -> line.getClassName().equals(AUTHENTICATION)));
        if (!refused) {
            return Bodies.unwrapped(failed);
        }
        HttpRetryException exception = new HttpRetryException(
                "the remote refused the request, and the Authenticator of the client did not help: "
                        + failed.getMessage() + ". Nothing was done",
                UNAUTHORIZED);
        exception.initCause(failed);
        return exception;
    }
}
