package dev.idem.mcp;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.idem.Idem;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Starts a guard in this process for whoever posts the URL of a server, and answers with the URL of the guard. */
final class GuardsOnDemand implements AutoCloseable {
    /** So short that a server soon knows which of its streams nobody reads any more. */
    private static final Duration SIGN_OF_LIFE = Duration.ofMillis(100);

    private final HttpServer http;
    private final Idem idem = Idem.builder().ledger("memory:").quiet().open();
    private final List<HttpProxy> guards = new CopyOnWriteArrayList<>();

    GuardsOnDemand() throws IOException {
        http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        http.createContext("/", this::start);
        http.start();
    }

    URI url() {
        return URI.create("http://127.0.0.1:" + http.getAddress().getPort() + "/");
    }

    int started() {
        return guards.size();
    }

    private void start(HttpExchange exchange) throws IOException {
        try (exchange) {
            String server = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            HttpProxy guard = new HttpProxy(
                    idem, McpOptions.of(server), URI.create(server), HttpUsers.guessed(), SIGN_OF_LIFE, SIGN_OF_LIFE);
            guards.add(guard);
            byte[] url = guard.start("127.0.0.1", 0).toString().getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, url.length);
            exchange.getResponseBody().write(url);
        }
    }

    @Override
    public void close() {
        http.stop(0);
        guards.forEach(HttpProxy::close);
        idem.close();
    }
}
