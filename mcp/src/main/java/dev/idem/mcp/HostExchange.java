package dev.idem.mcp;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A request of a host and its response, which is one JSON text, or a stream of events as soon as a message comes before the
 * answer. Thread-safe.
 */
final class HostExchange {
    private static final String EVENTS = "text/event-stream";
    private static final String JSON = "application/json";

    private final HttpExchange exchange;
    private final HttpHeaders headers;
    private @Nullable OutputStream events;

    HostExchange(HttpExchange exchange) {
        this.exchange = exchange;
        this.headers = HttpHeaders.passedOf(exchange.getRequestHeaders());
    }

    HttpHeaders headers() {
        return headers;
    }

    private boolean accepts(String type) {
        List<String> accepted = headers.lines().getOrDefault("accept", List.of());
        return accepted.isEmpty()
                ? type.equals(JSON)
                : accepted.stream().anyMatch(line -> line.contains(type) || line.contains("*/*"));
    }

    /** Sends a message as an event, and tells whether the host reads events. */
    synchronized boolean event(byte[] message) throws IOException {
        boolean reads = accepts(EVENTS);
        if (reads) {
            OutputStream out = opened();
            out.write(SseEvents.of(message));
            out.flush();
        }
        return reads;
    }

    /** Sends the answer, which is the last message. */
    synchronized void answer(byte[] message) throws IOException {
        if (events == null && accepts(JSON)) {
            send(200, JSON, message);
        } else {
            event(message);
        }
    }

    /** Sends an answer of the guard with this status. */
    synchronized void send(int status, String type, byte[] body) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", type);
        common();
        exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
        exchange.getResponseBody().write(body);
    }

    /** Passes a response of the server on. */
    synchronized void refuse(HttpRefusal refusal) throws IOException {
        begin(refusal.status(), refusal.headers(), refusal.body().length).write(refusal.body());
    }

    /** Passes the head of a response of the server on. */
    synchronized OutputStream begin(int status, HttpHeaders from, long length) throws IOException {
        from.lines()
                .forEach((name, values) ->
                        values.forEach(value -> exchange.getResponseHeaders().add(name, value)));
        // The JDK's server means "unknown" by 0 and "none" by -1.
        exchange.sendResponseHeaders(status, length < 0 ? 0 : length == 0 ? -1 : length);
        return exchange.getResponseBody();
    }

    synchronized boolean isStream() {
        return events != null;
    }

    private OutputStream opened() throws IOException {
        if (events == null) {
            exchange.getResponseHeaders().set("Content-Type", EVENTS);
            exchange.getResponseHeaders().set("X-Accel-Buffering", "no");
            common();
            exchange.sendResponseHeaders(200, 0);
            events = exchange.getResponseBody();
        }
        return events;
    }

    private void common() {
        exchange.getResponseHeaders().set("Cache-Control", "no-store, no-transform");
        headers.first("mcp-session-id")
                .ifPresent(id -> exchange.getResponseHeaders().set("Mcp-Session-Id", id));
        String origin = exchange.getRequestHeaders().getFirst("Origin");
        if (origin != null) {
            exchange.getResponseHeaders().set("Access-Control-Allow-Origin", origin);
            exchange.getResponseHeaders().set("Access-Control-Expose-Headers", "Mcp-Session-Id");
        }
    }

    /** The body of the request; null where it is longer than the limit. */
    byte @Nullable [] body(int limit) throws IOException {
        InputStream in = exchange.getRequestBody();
        byte[] body = in.readNBytes(limit + 1);
        return body.length > limit ? null : body;
    }
}
