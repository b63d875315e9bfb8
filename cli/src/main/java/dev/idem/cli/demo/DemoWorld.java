package dev.idem.cli.demo;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.idem.Json;
import dev.idem.cli.demo.DemoEvent.Kind;
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
 * The model and the services of a shop as an HTTP server on loopback. One thread answers all requests, and only it
 * touches the services.
 */
final class DemoWorld implements AutoCloseable {
    /** The model: a fixed list of tool calls, one for each request. Only this is scripted. */
    private static final List<Map<String, Object>> MODEL = List.of(
            Map.of("tool", "charge", "arguments", Map.of("customer", "cus_1", "cents", 4200)),
            Map.of(
                    "tool",
                    "send_email",
                    "arguments",
                    Map.of("to", "ann@example.com", "subject", "Your order", "body", "Thank you!")),
            Map.of("tool", "create_order", "arguments", Map.of("customer", "cus_1", "item", "tea")),
            Map.of("done", true));

    private static final int LAST_STEP = MODEL.size() - 2;

    private final HttpServer server;
    private final Services services = new Services();
    private final Duration pace;
    private final Consumer<DemoEvent> watcher;
    private final CountDownLatch goOn = new CountDownLatch(1);
    private boolean held;

    /** {@code pace} delays the answers of a service; {@code watcher} gets every event. */
    DemoWorld(Duration pace, Consumer<DemoEvent> watcher) throws IOException {
        this.pace = pace;
        this.watcher = watcher;
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.start();
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /** Lets the model continue. */
    void release() {
        goOn.countDown();
    }

    private void answer(HttpExchange exchange) throws IOException {
        // Closing without a response drops the connection: the response is lost.
        try (exchange) {
            byte[] body = exchange.getRequestBody().readAllBytes();
            String path = exchange.getRequestURI().getPath();
            String answer = path.equals("/model")
                    ? next(results(body))
                    : served(path, exchange.getRequestHeaders().getFirst("Idempotency-Key"));
            if (answer != null) {
                byte[] bytes = answer.getBytes(StandardCharsets.UTF_8);
                exchange.sendResponseHeaders(200, bytes.length);
                exchange.getResponseBody().write(bytes);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
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

    /** The model gets all results so far. Before its last step it waits once for {@link #release()}. */
    private String next(List<?> results) throws InterruptedException {
        int done = results.size();
        if (done > 0 && results.get(done - 1) instanceof Map<?, ?> last && "replayed".equals(last.get("status"))) {
            tell(Kind.SEEN, String.valueOf(last.get("tool")), "replayed from the ledger; no request");
        }
        if (done == LAST_STEP && !held) {
            held = true;
            tell(Kind.HELD, "model", "asked for the last step");
            goOn.await();
        } else if (done > LAST_STEP) {
            tell(Kind.DONE, "model", "nothing is left to do");
        }
        return Json.write(MODEL.get(done));
    }

    private void tell(Kind kind, String step, String words) {
        watcher.accept(new DemoEvent(kind, step, words, services.counted()));
    }

    @Override
    public void close() {
        release();
        server.stop(0);
    }
}
