package dev.idem.cli.webhook;

import dev.idem.command.Signals;
import java.io.ByteArrayOutputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Posts the same request once or several times. Follows no redirect and asks no proxy for this machine. */
final class Post {
    private static final int LARGEST_ANSWER = 64 * 1024;

    private final HttpRequest request;
    private final Duration timeout;
    private final HttpClient client;

    Post(HttpRequest request, Duration timeout, boolean local) {
        this.request = request;
        this.timeout = timeout;
        HttpClient.Builder builder =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(timeout);
        this.client = (local ? builder.proxy(HttpClient.Builder.NO_PROXY) : builder).build();
    }

    /** The results in the order of sending. A signal ends the sending. */
    List<Delivered> times(int times, boolean parallel, Signals signals) {
        List<Delivered> all = new ArrayList<>();
        for (int left = times; left > 0 && signals.caught() == null; left -= parallel ? times : 1) {
            List<CompletableFuture<HttpResponse<String>>> sent = new ArrayList<>();
            for (int i = 0; i < (parallel ? times : 1); i++) {
                sent.add(client.sendAsync(request, info -> new Head()));
            }
            long until = System.nanoTime() + timeout.toNanos();
            for (CompletableFuture<HttpResponse<String>> each : sent) {
                all.add(result(each, until - System.nanoTime()));
            }
        }
        return all;
    }

    private static Delivered result(CompletableFuture<HttpResponse<String>> sent, long nanos) {
        try {
            HttpResponse<String> answer = sent.get(Math.max(0, nanos), TimeUnit.NANOSECONDS);
            return Delivered.answered(answer.statusCode(), answer.body());
        } catch (ExecutionException e) {
            return Delivered.failed(e.getCause() == null ? e : e.getCause());
        } catch (TimeoutException e) {
            // The request's own limit ends with the headers; this one covers the body too.
            sent.cancel(true);
            return Delivered.failed(e);
        } catch (InterruptedException e) {
            // By a signal: what was sent may be handled.
            Thread.currentThread().interrupt();
            sent.cancel(true);
            return new Delivered(Delivered.Kind.TIMED_OUT, 0, "interrupted");
        }
    }

    /** Keeps the first bytes of an answer and drops the rest, which may not end. */
    private static final class Head implements HttpResponse.BodySubscriber<String> {
        private final CompletableFuture<String> body = new CompletableFuture<>();
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private Flow.@Nullable Subscription subscription;

        @Override
        public CompletionStage<String> getBody() {
            return body;
        }

        @Override
        public void onSubscribe(Flow.Subscription given) {
            subscription = given;
            given.request(Long.MAX_VALUE);
        }

        @Override
        public void onNext(List<ByteBuffer> buffers) {
            for (ByteBuffer buffer : buffers) {
                byte[] part = new byte[Math.min(buffer.remaining(), LARGEST_ANSWER - bytes.size())];
                buffer.get(part);
                bytes.writeBytes(part);
            }
            if (bytes.size() >= LARGEST_ANSWER && subscription != null) {
                subscription.cancel();
                onComplete();
            }
        }

        @Override
        public void onError(Throwable why) {
            body.completeExceptionally(why);
        }

        @Override
        public void onComplete() {
            body.complete(bytes.toString(StandardCharsets.UTF_8));
        }
    }
}
