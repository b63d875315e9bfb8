package dev.idem.mcp.http;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A request of a host and its response, which is one JSON text, or a stream of events as soon as a message comes before the
 * answer. Thread-safe.
 */
final class HostExchange implements AutoCloseable {
    private static final String EVENTS = "text/event-stream";
    private static final String JSON = "application/json";

    private final HttpExchange exchange;
    private final HttpHeaders headers;
    private final Executor workers;
    private final AtomicBoolean begun = new AtomicBoolean();
    private boolean isAnsweredLater;
    private final ReentrantLock opening = new ReentrantLock();
    private @Nullable HostStream stream;

    HostExchange(HttpExchange exchange, Executor workers) {
        this.exchange = exchange;
        this.workers = workers;
        this.headers = HttpHeaders.passedOf(exchange.getRequestHeaders());
    }

    HttpHeaders headers() {
        return headers;
    }

    /**
     * Answers the request in another thread. Closing the exchange before that does nothing.
     *
     * @param afterwards runs when the whole answer is on its way: closing the exchange sends the last bytes
     */
    void answerLater(Executor by, Runnable work, Runnable afterwards) {
        by.execute(() -> {
            try (exchange) {
                work.run();
            } finally {
                afterwards.run();
            }
        });
        isAnsweredLater = true;
    }

    /** Ends the exchange, unless it is answered later. */
    @Override
    public void close() {
        if (!isAnsweredLater) {
            exchange.close();
        }
    }

    @Nullable
    String query() {
        return exchange.getRequestURI().getRawQuery();
    }

    private boolean readsEvents() {
        List<String> accepted = headers.lines().getOrDefault("accept", List.of());
        return accepted.stream()
                .map(line -> line.toLowerCase(Locale.ROOT))
                .anyMatch(line -> line.contains(EVENTS) || line.contains("*/*"));
    }

    /** Whether the host wants the answer as one JSON text; else as an event. */
    private boolean readsJson() {
        List<String> accepted = headers.lines().getOrDefault("accept", List.of());
        return !readsEvents()
                || accepted.stream()
                        .map(line -> line.toLowerCase(Locale.ROOT))
                        .anyMatch(line -> line.contains(JSON) || line.contains("*/*"));
    }

    /** Sends a message before the answer, and tells whether the host can be reached so. */
    boolean event(byte[] message) throws IOException {
        HostStream open = opened();
        return open != null && open.offer(SseEvents.of(message));
    }

    /** Tells whether the host is still there, where it reads events. */
    boolean ping() throws IOException {
        HostStream open = opened();
        return open == null || open.ping();
    }

    /** Sends the answer, which is the last message. */
    void answer(byte[] message) throws IOException {
        if (readsJson() && begins()) {
            send(200, message);
            return;
        }
        HostStream open = opened();
        if (open != null && open.offer(SseEvents.of(message))) {
            open.finish();
        }
    }

    /** Sends an answer of the guard that is no result. */
    void refuse(int status, byte[] json) throws IOException {
        if (begins()) {
            send(status, json);
        }
    }

    private void send(int status, byte[] json) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", JSON);
        common();
        exchange.sendResponseHeaders(status, json.length);
        exchange.getResponseBody().write(json);
    }

    /** Passes a response of the server on, unless there are events already. */
    boolean refuse(HttpRefusal refusal) throws IOException {
        boolean begins = begins();
        if (begins) {
            pass(refusal.status(), refusal.headers(), refusal.body().length).write(refusal.body());
        }
        return begins;
    }

    /** Passes the head of a response of the server on. The length is negative where it is not known. */
    OutputStream begin(int status, HttpHeaders from, long length) throws IOException {
        begins();
        return pass(status, from, length);
    }

    private OutputStream pass(int status, HttpHeaders from, long length) throws IOException {
        from.lines()
                .forEach((name, values) ->
                        values.forEach(value -> exchange.getResponseHeaders().add(name, value)));
        allowOrigin();
        // The JDK's server means "unknown" by 0 and "none" by -1.
        exchange.sendResponseHeaders(status, length < 0 ? 0 : length == 0 ? -1 : length);
        return exchange.getResponseBody();
    }

    /** Whether this is the begin of the response. Only one part of the guard may begin it. */
    private boolean begins() {
        return begun.compareAndSet(false, true);
    }

    /** The stream of events; null where the response has another form. */
    private @Nullable HostStream opened() throws IOException {
        opening.lock();
        try {
            return stream == null && readsEvents() && begins() ? open() : stream;
        } finally {
            opening.unlock();
        }
    }

    private HostStream open() throws IOException {
        exchange.getResponseHeaders().set("Content-Type", EVENTS);
        exchange.getResponseHeaders().set("X-Accel-Buffering", "no");
        common();
        exchange.sendResponseHeaders(200, 0);
        HostStream open = new HostStream(workers, () -> {});
        open.open(exchange.getResponseBody());
        stream = open;
        return open;
    }

    private void common() {
        exchange.getResponseHeaders().set("Cache-Control", "no-store, no-transform");
        headers.first("mcp-session-id")
                .ifPresent(id -> exchange.getResponseHeaders().set("Mcp-Session-Id", id));
        allowOrigin();
    }

    /** A page in a browser may read the response: its origin was checked before. */
    private void allowOrigin() {
        String origin = exchange.getRequestHeaders().getFirst("Origin");
        if (origin != null) {
            Headers to = exchange.getResponseHeaders();
            to.set("Access-Control-Allow-Origin", origin);
            to.set("Access-Control-Expose-Headers", "Mcp-Session-Id, WWW-Authenticate");
        }
    }

    /** Answers the question of a browser whether a page may send its request. */
    void allow() throws IOException {
        begins();
        allowOrigin();
        String wanted = exchange.getRequestHeaders().getFirst("Access-Control-Request-Headers");
        exchange.getResponseHeaders().set("Access-Control-Allow-Methods", "GET, POST, DELETE");
        if (wanted != null) {
            exchange.getResponseHeaders().set("Access-Control-Allow-Headers", wanted);
        }
        exchange.sendResponseHeaders(204, -1);
    }

    /** The body of the request; null where it is longer than the limit. */
    byte @Nullable [] body(int limit) throws IOException {
        InputStream in = exchange.getRequestBody();
        byte[] body = in.readNBytes(limit + 1);
        return body.length > limit ? null : body;
    }
}
