package dev.idem.http.client;

import dev.idem.http.BodyTooLargeException;
import dev.idem.http.Response;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.ResponseInfo;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** Bodies as bytes, and back. */
final class Bodies {
    private static final String LENGTH = "Content-Length";

    /** Two statuses have no body, and two have a challenge whose body {@code HttpURLConnection} throws away. */
    private static final Set<Integer> WITHOUT_BODY = Set.of(204, 304, 401, 407);

    private Bodies() {}

    /**
     * A response that was read to its end.
     *
     * @param body null if it is longer than a response may be; its rest was not read then
     * @param exact whether a body that is longer than announced is wrong too. A client that decodes bodies may leave the
     *     old length in the headers
     * @return with the length of the body that was read, where a longer one than announced is taken: a reader goes by it
     * @throws IOException if the body has another length than the headers announce: it was cut off
     */
    static Response response(int status, Map<String, List<String>> headers, byte @Nullable [] body, boolean exact)
            throws IOException {
        Response response =
                body == null ? Response.streamed(status) : Response.of(status).body(body);
        for (Map.Entry<String, List<String>> header : headers.entrySet()) {
            for (String line : header.getValue()) {
                response = response.header(header.getKey(), line);
            }
        }
        long announced = announced(response);
        if (body != null && announced >= 0 && (exact ? body.length != announced : body.length < announced)) {
            throw new EOFException("the response (" + status + ") ended after " + body.length + " of " + announced
                    + " bytes, so it may not be the whole response");
        }
        return body != null && body.length > length(response)
                ? response.withHeader(LENGTH, Integer.toString(body.length))
                : response;
    }

    /**
     * Refuses a response without a body whose headers do not say that it has none: it may have been cut off inside of its
     * headers. For clients that take the end of the connection for the end of the headers.
     */
    static void requireEnd(Response response) throws EOFException {
        boolean chunked = "chunked"
                .equalsIgnoreCase(Verdict.first(response, "Transfer-Encoding").strip());
        if (response.body().length == 0
                && !response.isStreamed()
                && !chunked
                && length(response) == Long.MAX_VALUE
                && !WITHOUT_BODY.contains(response.status())) {
            throw new EOFException(
                    "the response (" + response.status() + ") has no body and no length, so it may have been"
                            + " cut off inside of its headers. The client behind Spring does not tell; that of"
                            + " JdkClientHttpRequestFactory does");
        }
    }

    /** The length that the headers announce for the bytes that were read; negative if they say nothing about these. */
    private static long announced(Response response) {
        boolean decoded = !Verdict.first(response, "Content-Encoding").isEmpty();
        long length = length(response);
        return decoded || length == Long.MAX_VALUE || WITHOUT_BODY.contains(response.status()) ? -1 : length;
    }

    /** The length in the headers, whatever it is the length of; the largest number if there is none. */
    private static long length(Response response) {
        try {
            return Long.parseLong(Verdict.first(response, LENGTH).strip());
        } catch (NumberFormatException notANumber) {
            return Long.MAX_VALUE;
        }
    }

    /** Reads the body of a response; empty if it is longer than the limit. Then the rest is not read. */
    static BodyHandler<Optional<byte[]>> upTo(long limit) {
        return info -> new Parts(new Collector(limit));
    }

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

    /** Gives a collector the body of a response. */
    private record Parts(Collector collector) implements BodySubscriber<Optional<byte[]>> {
        @Override
        public CompletionStage<Optional<byte[]>> getBody() {
            return collector.bytes.thenApply(Optional::of).exceptionallyCompose(thrown -> {
                Throwable cause = thrown instanceof CompletionException ? thrown.getCause() : thrown;
                return cause instanceof BodyTooLargeException
                        ? CompletableFuture.completedFuture(Optional.empty())
                        : CompletableFuture.failedFuture(cause);
            });
        }

        @Override
        public void onSubscribe(Flow.Subscription subscription) {
            collector.onSubscribe(subscription);
        }

        @Override
        public void onNext(List<ByteBuffer> parts) {
            parts.forEach(collector::onNext);
        }

        @Override
        public void onError(Throwable thrown) {
            collector.onError(thrown);
        }

        @Override
        public void onComplete() {
            collector.onComplete();
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
