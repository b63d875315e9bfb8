package dev.idem.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.server.Access;
import dev.idem.server.Api;
import dev.idem.server.Operations;
import dev.idem.server.TokenFile;
import dev.idem.spi.Host;
import dev.idem.spi.Ledger;
import dev.idem.spi.Ledgers;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The secret of a token stands in no answer, no header, no log and no number, whatever goes wrong. */
class TokenSecrecyTest {
    private static final String STRANGE = "strange-secret-0123456789abcdef";

    @TempDir
    Path folder;

    private final HttpClient http = HttpClient.newHttpClient();
    private final List<String> log = new CopyOnWriteArrayList<>();
    private final Logger root = Logger.getLogger("");
    private final Handler handler = new Handler() {
        @Override
        public void publish(LogRecord line) {
            log.add(new SimpleFormatter().format(line));
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };
    private TokenFile tokens;
    private String all;
    private String reader;
    private Ledger ledger;
    private Api api;
    private NetworkCarrier carrier;

    @BeforeEach
    void open() throws IOException {
        root.addHandler(handler);
        tokens = new TokenFile(folder.resolve("tokens.json"), Host.system());
        all = tokens.add("all", Access.ALL, null);
        reader = tokens.add("reader", Access.of(List.of("read"), List.of("acme/*")), null);
        ledger = Ledgers.open("memory:");
        api = new Api(ledger, "memory:", Host.system(), "1");
        carrier = start(0);
    }

    @AfterEach
    void close() throws IOException {
        root.removeHandler(handler);
        carrier.close();
        api.close();
        ledger.close();
    }

    private NetworkCarrier start(int port) throws IOException {
        return NetworkCarrier.start(
                api, new NetworkCarrier.Place("127.0.0.1", port, null, null), tokens, Operations.NONE, Host.system());
    }

    /** The status of a request, after a look at all that came back. */
    private int status(HttpRequest.Builder request, String secret) throws IOException, InterruptedException {
        HttpResponse<String> response = http.send(
                request.header("Authorization", "Bearer " + secret).build(), HttpResponse.BodyHandlers.ofString());
        assertSecret(response.headers().map() + response.body());
        return response.statusCode();
    }

    private int get(String path, String secret) throws IOException, InterruptedException {
        return status(HttpRequest.newBuilder(URI.create(carrier.url() + path)), secret);
    }

    private int post(String method, String body, String secret) throws IOException, InterruptedException {
        return status(
                HttpRequest.newBuilder(URI.create(carrier.url() + "/v1/" + method))
                        .header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString(body)),
                secret);
    }

    private void assertSecret(String text) {
        assertThat(text).doesNotContain(all, reader, STRANGE);
    }

    @Test
    void noRefusalTellsASecret() throws Exception {
        for (String path : List.of("/v1/events", "/metrics", "/nothing", "/v1/hello")) {
            assertThat(get(path, STRANGE)).isEqualTo(401);
        }
        assertThat(post("hello", "{}", STRANGE)).isEqualTo(401);
        assertThat(post("hello", "{}", all)).isEqualTo(200);
        assertThat(post("find", "{\"scope\":\"acme2\",\"operation\":\"o\",\"key\":\"k\"}", reader))
                .isEqualTo(403);
        assertThat(get("/metrics", reader)).isEqualTo(403);
        assertThat(get("/v1/events?filter=%7B%22scope%22%3A%22acme2%22%7D", reader))
                .isEqualTo(403);
        assertThat(post("find", "{", all)).isEqualTo(400);
        assertThat(post("nothing", "{}", all)).isEqualTo(400);
        assertThat(get("/nothing", all)).isEqualTo(404);
        assertThat(get("/v1/find", all)).isEqualTo(405);
        assertThat(post("find", " ".repeat(Api.LARGEST_REQUEST + 1), all)).isEqualTo(413);
        assertThat(post("hello", "{\"protocol\":2}", all)).isEqualTo(409);
        assertThat(get("/metrics", all)).isEqualTo(200);
        tokens.revoke("reader");
        assertThatThrownBy(() -> start(carrier.port())).satisfies(e -> assertSecret(e + " " + e.getCause()));
        Files.writeString(tokens.path(), "{\"tokens\": rubbish " + STRANGE);
        assertThat(post("hello", "{}", all)).isIn(401, 429);
        assertSecret(String.join("\n", log));
    }
}
