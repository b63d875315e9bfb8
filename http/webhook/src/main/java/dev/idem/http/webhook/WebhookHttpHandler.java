package dev.idem.http.webhook;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * A handler of the JDK's server for an endpoint: {@code server.createContext("/stripe", new WebhookHttpHandler(stripe))}.
 * A request whose body does not arrive in time loses its connection: it would keep a thread of the server.
 */
public final class WebhookHttpHandler implements HttpHandler {
    private static final Duration USUAL = Duration.ofSeconds(20);

    private final WebhookEndpoint endpoint;
    private final Duration bodyLimit;

    /** A handler for an endpoint, with 20 s for each body. It does not close the endpoint. */
    public WebhookHttpHandler(WebhookEndpoint endpoint) {
        this(endpoint, USUAL);
    }

    /**
     * A handler for an endpoint. It does not close the endpoint.
     *
     * @param bodyLimit how long the body of a request may take to arrive
     */
    public WebhookHttpHandler(WebhookEndpoint endpoint, Duration bodyLimit) {
        this.endpoint = endpoint;
        this.bodyLimit = bodyLimit;
    }

    @Override
    public void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            if (!exchange.getRequestMethod().equals("POST")) {
                exchange.getResponseHeaders().set("Allow", "POST");
                exchange.sendResponseHeaders(405, -1);
                return;
            }
            byte[] body = read(exchange);
            WebhookAnswer answer = endpoint.receive(
                    exchange.getRequestHeaders(), body, exchange.getRequestURI().getRawQuery());
            if (answer.retryAfter() != null) {
                exchange.getResponseHeaders()
                        .set("Retry-After", Long.toString(answer.retryAfter().toSeconds()));
            }
            byte[] bytes = answer.body().getBytes(StandardCharsets.UTF_8);
            if (bytes.length > 0) {
                exchange.getResponseHeaders().set("Content-Type", answer.contentType());
            }
            exchange.sendResponseHeaders(answer.status(), bytes.length == 0 ? -1 : bytes.length);
            exchange.getResponseBody().write(bytes);
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // it only ends the wait
    private byte[] read(HttpExchange exchange) throws IOException {
        String length = exchange.getRequestHeaders().getFirst("Content-Length");
        CompletableFuture<Boolean> arrived = new CompletableFuture<>();
        // A read of the JDK's server ends only with its connection.
        arrived.orTimeout(bodyLimit.toMillis(), TimeUnit.MILLISECONDS).exceptionally(late -> {
            exchange.close();
            return false;
        });
        try {
            return Bodies.read(
                    exchange.getRequestBody(), length == null ? -1 : Long.parseLong(length), endpoint.largestBody());
        } finally {
            arrived.complete(true);
        }
    }
}
