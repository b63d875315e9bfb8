package dev.idem.http.webhook;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * A handler of the JDK's server for an endpoint: {@code server.createContext("/stripe", new WebhookHttpHandler(stripe))}.
 */
public final class WebhookHttpHandler implements HttpHandler {
    private final WebhookEndpoint endpoint;

    /** A handler for an endpoint. It does not close the endpoint. */
    public WebhookHttpHandler(WebhookEndpoint endpoint) {
        this.endpoint = endpoint;
    }

    @Override
    public void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            if (!exchange.getRequestMethod().equals("POST")) {
                exchange.getResponseHeaders().set("Allow", "POST");
                exchange.sendResponseHeaders(405, -1);
                return;
            }
            String length = exchange.getRequestHeaders().getFirst("Content-Length");
            byte[] body = Bodies.read(
                    exchange.getRequestBody(), length == null ? -1 : Long.parseLong(length), endpoint.largestBody());
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
}
