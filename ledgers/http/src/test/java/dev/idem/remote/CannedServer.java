package dev.idem.remote;

import com.sun.net.httpserver.HttpServer;
import dev.idem.spi.Ledger;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** A server that gives prepared answers, one for each request after the hello; the last one again and again. */
final class CannedServer implements AutoCloseable {
    static final String HELLO = "{\"answer\":\"hello\",\"protocol\":1,\"ledger_id\":\"1d\",\"rights\":[\"read\","
            + "\"payloads\",\"act\",\"operate\"],\"capabilities\":[\"browse\",\"trail\"],"
            + "\"limits\":{\"result_bytes\":1000,\"renew_tickets\":2}}";

    private final HttpServer server;
    private final Deque<Canned> answers = new ArrayDeque<>();
    private final List<String> asked = new ArrayList<>();

    private record Canned(int status, String body) {}

    CannedServer() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            String method = exchange.getRequestURI().getPath().substring("/v1/".length());
            exchange.getRequestBody().readAllBytes();
            Canned canned = next(method);
            byte[] bytes = canned.body().getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(canned.status(), bytes.length == 0 ? -1 : bytes.length);
            exchange.getResponseBody().write(bytes);
            exchange.close();
        });
        server.start();
    }

    private synchronized Canned next(String method) {
        asked.add(method);
        if (method.equals("hello") && asked.size() == 1) {
            return answers.size() == 1 && answers.peek().status() == 0
                    ? new Canned(200, answers.poll().body())
                    : new Canned(200, HELLO);
        }
        return answers.size() > 1 ? answers.remove() : answers.element();
    }

    /** Another answer to the hello. */
    synchronized CannedServer hello(String body) {
        answers.clear();
        answers.add(new Canned(0, body));
        return this;
    }

    synchronized CannedServer then(int status, String body) {
        answers.add(new Canned(status, body));
        return this;
    }

    /** An error as idem serve gives it. */
    CannedServer problem(int status, String code) {
        return then(status, "{\"code\":\"" + code + "\",\"detail\":\"the detail\"}");
    }

    /** The methods that were asked after the hello. */
    synchronized List<String> asked() {
        return List.copyOf(asked.subList(1, asked.size()));
    }

    Ledger open(String options) {
        return TestServer.open("http://127.0.0.1:" + server.getAddress().getPort(), "s3cret", options);
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
