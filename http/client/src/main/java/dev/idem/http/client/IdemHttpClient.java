package dev.idem.http.client;

import dev.idem.Idem;
import dev.idem.agent.provider.ProviderKey;
import dev.idem.http.BodyTooLargeException;
import dev.idem.http.OutgoingRequest;
import dev.idem.http.Response;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A {@link HttpClient} whose unsafe requests happen once. The key is claimed before the request is sent, and the response
 * answers every later request with the same key.
 *
 * <pre>{@code
 * IdemHttpClient client = IdemHttpClient.of(idem, HttpClient.newHttpClient()).provider(Provider.STRIPE);
 * HttpResponse<String> response = client.send(request, BodyHandlers.ofString(), "order-7");
 * }</pre>
 *
 * <p>GET, HEAD, OPTIONS and TRACE are sent without a record. Immutable and thread-safe.
 */
public final class IdemHttpClient extends GuardedClient<IdemHttpClient> {
    private static final String RESENDS = "jdk.httpclient.enableAllMethodRetry";
    /** The client of the JDK reports its own time-outs better, so it goes first. */
    private static final Duration AFTER_ITS_OWN_LIMIT = Duration.ofMillis(500);

    /** A thread for each request under way; idle ones end. */
    private static final ExecutorService THREADS = Executors.newCachedThreadPool(work -> {
        Thread thread = new Thread(work, "idem-http-client");
        thread.setDaemon(true);
        return thread;
    });

    private final HttpClient http;

    private IdemHttpClient(ClientSettings settings, HttpClient http) {
        super(settings);
        this.http = http;
    }

    /**
     * Wraps a client.
     *
     * @throws IllegalArgumentException when the client would send a request again by itself: because it follows redirects,
     *     or because of the system property {@code jdk.httpclient.enableAllMethodRetry}
     */
    public static IdemHttpClient of(Idem idem, HttpClient http) {
        if (http.followRedirects() != HttpClient.Redirect.NEVER) {
            throw new IllegalArgumentException(
                    "the client follows redirects, and would send a request with its key and "
                            + "its credentials to another address. Build it with followRedirects(Redirect.NEVER), the default");
        }
        if (resends(System.getProperty(RESENDS))) {
            throw new IllegalArgumentException("the system property " + RESENDS + " makes the client send a request "
                    + "again by itself when a connection breaks. Remove the property");
        }
        return new IdemHttpClient(settings(idem), http);
    }

    /** Reads the property as the client of the JDK does. */
    static boolean resends(@Nullable String property) {
        return property != null && (property.isEmpty() || Boolean.parseBoolean(property));
    }

    @Override
    IdemHttpClient with(ClientSettings changed) {
        return new IdemHttpClient(changed, http);
    }

    /**
     * Sends a request whose key is in the header {@code Idempotency-Key} or in the header of the provider, or is derived.
     * See {@link #send(HttpRequest, BodyHandler, String)}.
     */
    public <T> GuardedResponse<T> send(HttpRequest request, BodyHandler<T> handler)
            throws IOException, InterruptedException {
        return send(request, handler, null);
    }

    /**
     * Sends a request once for its key, or returns the recorded response. The body of the request is read once and kept in
     * memory, so that every try sends the same bytes. The handler reads the response after it was recorded.
     *
     * @param key names the request: the same for each retry, also after a restart, and another one for new work; null if
     *     the request holds its key itself
     * @throws IllegalArgumentException when there is no key; nothing was sent
     * @throws BodyTooLargeException when the body is longer than {@code rules.largestBody()}; nothing was sent
     * @throws IOException when there is no response. Where the request may have taken effect, an {@link
     *     dev.idem.InDoubtException} is attached as a suppressed exception
     * @throws InterruptedException when the thread was interrupted; the same holds
     * @throws dev.idem.IdemException when the request was not sent: it is in flight, in doubt, or the key was used for
     *     another request. The message says what to do next
     */
    public <T> GuardedResponse<T> send(HttpRequest request, BodyHandler<T> handler, @Nullable String key)
            throws IOException, InterruptedException {
        if (Sending.isSafe(request.method())) {
            return GuardedResponse.unguarded(http.send(request, handler));
        }
        byte[] body = Bodies.read(request, settings.rules().largestBody());
        OnTheWire wire = new OnTheWire(request, body);
        Answer answer = new Sending(
                        settings,
                        new OutgoingRequest(
                                request.method(),
                                request.uri(),
                                request.headers().map(),
                                body),
                        wire)
                .run(key);
        return GuardedResponse.of(request, answer, answer.replayed() ? null : wire.last, handler);
    }

    /**
     * Sends a request as {@link #send(HttpRequest, BodyHandler, String)} does, in a thread of its own. A caller that
     * cancels the future, or completes it in another way, gives up waiting: the connection is closed, and a request that
     * may have been sent is in doubt.
     *
     * @return the response; it fails with the exceptions of {@code send}
     */
    @SuppressWarnings("FutureReturnValueIgnored") // the result itself is returned
    public <T> CompletableFuture<GuardedResponse<T>> sendAsync(
            HttpRequest request, BodyHandler<T> handler, @Nullable String key) {
        CompletableFuture<GuardedResponse<T>> result = new CompletableFuture<>();
        AtomicBoolean ended = new AtomicBoolean();
        Future<?> sending = THREADS.submit(() -> {
            try {
                GuardedResponse<T> response = send(request, handler, key);
                ended.set(true);
                result.complete(response);
            } catch (Throwable e) {
                ended.set(true);
                result.completeExceptionally(e);
            }
        });
        result.whenComplete((response, thrown) -> {
            if (!ended.get()) {
                sending.cancel(true);
            }
        });
        return result;
    }

    private final class OnTheWire implements Sending.Wire {
        private final HttpRequest request;
        private final byte[] body;
        private @Nullable HttpResponse<?> last;

        OnTheWire(HttpRequest request, byte[] body) {
            this.request = request;
            this.body = body;
        }

        @Override
        public Response send(@Nullable ProviderKey key, Duration left) throws IOException, InterruptedException {
            Duration limit =
                    request.timeout().filter(own -> own.compareTo(left) < 0).orElse(left);
            HttpRequest.Builder copy =
                    HttpRequest.newBuilder(request, (name, value) -> true).timeout(limit);
            AuthenticatedBody once =
                    new AuthenticatedBody(body, http.authenticator().isPresent());
            if (request.bodyPublisher().isPresent()) {
                copy.method(request.method(), once);
            }
            if (key != null) {
                key.into(copy::setHeader);
            }
            HttpResponse<Optional<byte[]>> got =
                    await(http.sendAsync(copy.build(), Bodies.upTo(settings.responseLimit())), limit, once);
            last = got;
            return Bodies.response(
                    got.statusCode(), got.headers().map(), got.body().orElse(null), true);
        }

        /** The limit of the JDK's client ends with the headers, so a body that never ends needs a limit of its own. */
        private static <T> HttpResponse<T> await(
                CompletableFuture<HttpResponse<T>> response, Duration limit, AuthenticatedBody once)
                throws IOException, InterruptedException {
            try {
                return response.get(limit.plus(AFTER_ITS_OWN_LIMIT).toNanos(), TimeUnit.NANOSECONDS);
            } catch (TimeoutException e) {
                throw new HttpTimeoutException("the response was not complete after " + limit);
            } catch (ExecutionException e) {
                throw once.unwrapped(e);
            } finally {
                response.cancel(true);
            }
        }
    }
}
