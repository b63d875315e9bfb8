package dev.idem.server.notice;

import com.sun.net.httpserver.HttpServer;
import dev.idem.Json;
import dev.idem.http.webhook.Sender;
import dev.idem.http.webhook.Signer;
import dev.idem.http.webhook.Verification;
import dev.idem.http.webhook.Verifier;
import dev.idem.http.webhook.WebhookRequest;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.IntSupplier;

/** A server that receives notices, and verifies their signatures as users do. */
final class Receiver implements AutoCloseable {
    static final String SECRET = Signer.TEST_WHSEC;
    private static final Verifier VERIFIER = Verifier.of(Sender.STANDARD_WEBHOOKS, SECRET);

    /** A request that arrived. */
    record Got(Map<String, List<String>> headers, byte[] body) {
        String text() {
            return new String(body, StandardCharsets.UTF_8);
        }

        String id() {
            return String.join("", headers.getOrDefault("Webhook-id", List.of()));
        }

        boolean isSigned() {
            return VERIFIER.verify(WebhookRequest.of(headers, body)) instanceof Verification.Accepted;
        }

        @SuppressWarnings("unchecked")
        Map<String, Object> json() {
            return (Map<String, Object>) Objects.requireNonNull(Json.parse(text()));
        }

        @SuppressWarnings("unchecked")
        Map<String, Object> data() {
            return (Map<String, Object>) Objects.requireNonNull(json().get("data"));
        }

        String key() {
            return String.valueOf(data().get("key"));
        }
    }

    final List<Got> got = new CopyOnWriteArrayList<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final HttpServer server;
    volatile IntSupplier status = () -> 204;

    Receiver() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", exchange -> {
            got.add(new Got(
                    Map.copyOf(exchange.getRequestHeaders()),
                    exchange.getRequestBody().readAllBytes()));
            int answer = status.getAsInt();
            if (answer / 100 == 3) {
                exchange.getResponseHeaders().set("Location", "/elsewhere");
            }
            exchange.sendResponseHeaders(answer, -1);
            exchange.close();
        });
        server.start();
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/s3cret-path";
    }

    Channel webhook() {
        return Channel.webhook(url(), SECRET);
    }

    Channel slack() {
        return Channel.slack(url());
    }

    /** The keys of the calls that single messages were about, in the order of arrival. */
    List<String> keys() {
        return got.stream().map(Got::key).toList();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
