package dev.idem.http.client;

import dev.idem.http.BodyTooLargeException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.ResponseInfo;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** Bodies of the JDK's client as bytes, and back. */
final class Bodies {
    private Bodies() {}

    /** Reads the body of a request, from a publisher that may work only once. */
    static byte[] read(HttpRequest request, long limit) throws IOException, InterruptedException {
        HttpRequest.BodyPublisher publisher = request.bodyPublisher().orElse(null);
        if (publisher == null) {
            return new byte[0];
        } else if (publisher.contentLength() > limit) {
            throw new BodyTooLargeException(limit);
        }
        Collector collector = new Collector(limit);
        publisher.subscribe(collector);
        try {
            return collector.bytes.get();
        } catch (ExecutionException e) {
            throw unwrapped(e);
        }
    }

    /** Lets the handler of a caller read a body that is complete. */
    static <T> T write(ResponseInfo info, byte[] body, BodyHandler<T> handler)
            throws IOException, InterruptedException {
        BodySubscriber<T> subscriber = handler.apply(info);
        subscriber.onSubscribe(new Whole(body, subscriber));
        try {
            return subscriber.getBody().toCompletableFuture().get();
        } catch (ExecutionException e) {
            throw unwrapped(e);
        }
    }

    /** The exception behind a failed future, as the blocking method of the JDK throws it. */
    static IOException unwrapped(ExecutionException e) {
        Throwable cause = e.getCause();
        if (cause instanceof IOException thrown) {
            return thrown;
        } else if (cause instanceof RuntimeException thrown) {
            throw thrown;
        } else if (cause instanceof Error thrown) {
            throw thrown;
        }
        return new IOException(cause);
    }

    private static final class Collector implements Flow.Subscriber<ByteBuffer> {
        final CompletableFuture<byte[]> bytes = new CompletableFuture<>();
        private final ByteArrayOutputStream collected = new ByteArrayOutputStream();
        private final long limit;
        private Flow.@Nullable Subscription subscription;

        Collector(long limit) {
            this.limit = limit;
        }

        @Override
        public void onSubscribe(Flow.Subscription given) {
            subscription = given;
            given.request(Long.MAX_VALUE);
        }

        @Override
        public void onNext(ByteBuffer part) {
            if (bytes.isDone()) {
                return;
            } else if (collected.size() + (long) part.remaining() > limit) {
                bytes.completeExceptionally(new BodyTooLargeException(limit));
                if (subscription != null) {
                    subscription.cancel();
                }
                return;
            }
            byte[] copy = new byte[part.remaining()];
            part.get(copy);
            collected.writeBytes(copy);
        }

        @Override
        public void onError(Throwable thrown) {
            bytes.completeExceptionally(thrown);
        }

        @Override
        public void onComplete() {
            bytes.complete(collected.toByteArray());
        }
    }

    /** Delivers the whole body at the first demand. */
    private static final class Whole implements Flow.Subscription {
        private final AtomicBoolean ended = new AtomicBoolean();
        private final byte[] body;
        private final Flow.Subscriber<List<ByteBuffer>> reader;

        Whole(byte[] body, Flow.Subscriber<List<ByteBuffer>> reader) {
            this.body = body;
            this.reader = reader;
        }

        @Override
        public void request(long parts) {
            if (ended.compareAndSet(false, true)) {
                if (body.length > 0) {
                    reader.onNext(List.of(ByteBuffer.wrap(body).asReadOnlyBuffer()));
                }
                reader.onComplete();
            }
        }

        @Override
        public void cancel() {
            ended.set(true);
        }
    }
}
