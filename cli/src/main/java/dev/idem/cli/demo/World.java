package dev.idem.cli.demo;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.idem.Json;
import dev.idem.cli.demo.Event.Kind;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What the agent talks to: its model, and the services of one shop, on loopback. Requests are answered one after the
 * other by one thread, which alone touches the services.
 */
final class World implements AutoCloseable {
    private static final int LAST_STEP = FixedModel.STEPS.size() - 1;

    private final HttpServer server;
    private final Services services = new Services();
    private final Duration pace;
    private final Consumer<Event> watching;
    private final CountDownLatch goOn = new CountDownLatch(1);
    private boolean held;

    /** Made with {@code pace}: how long a service takes to answer; and who is told of everything. */
    World(Duration pace, Consumer<Event> watching) throws IOException {
        this.pace = pace;
        this.watching = watching;
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.start();
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /** Lets the model go on. */
    void release() {
        goOn.countDown();
    }

    private void answer(HttpExchange exchange) throws IOException {
        // Closed without a response, the connection is dropped: that is how one gets lost.
        try (exchange) {
            byte[] body = exchange.getRequestBody().readAllBytes();
            String path = exchange.getRequestURI().getPath();
            String answer = path.equals("/model")
                    ? asked(results(body))
                    : served(path, exchange.getRequestHeaders().getFirst("Idempotency-Key"));
            if (answer != null) {
                byte[] bytes = answer.getBytes(StandardCharsets.UTF_8);
                exchange.sendResponseHeaders(200, bytes.length);
                exchange.getResponseBody().write(bytes);
            }
        }
    }

    private static List<?> results(byte[] body) {
        return Json.parse(body) instanceof Map<?, ?> told && told.get("results") instanceof List<?> all
                ? all
                : List.of();
    }

    private @Nullable String served(String path, @Nullable String key) {
        LockSupport.parkNanos(pace.toNanos());
        Services.Served served = services.serve(path, key);
        tell(Kind.SEEN, served.tool(), served.words());
        return served.answer();
    }

    /** The model is told all results so far, as models are. */
    private @Nullable String asked(List<?> results) {
        if (!results.isEmpty() && results.get(results.size() - 1) instanceof Map<?, ?> last) {
            String tool = String.valueOf(last.get("tool"));
            if ("replayed".equals(last.get("status"))) {
                tell(Kind.SEEN, tool, "replayed from the ledger; no request");
            }
        }
        if (results.size() == LAST_STEP && !held) {
            held = true;
            tell(Kind.HELD, "model", "asked for the last step");
            return waited() ? Json.write(FixedModel.next(results.size())) : null;
        }
        if (results.size() > LAST_STEP) {
            tell(Kind.DONE, "model", "nothing is left to do");
        }
        return Json.write(FixedModel.next(results.size()));
    }

    private boolean waited() {
        try {
            goOn.await();
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private void tell(Kind kind, String step, String words) {
        watching.accept(new Event(kind, step, words, services.counted()));
    }

    @Override
    public void close() {
        release();
        server.stop(0);
    }
}
