package dev.idem.server.http;

import static org.assertj.core.api.Assertions.assertThat;

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
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PrometheusMetersTest {
    @TempDir
    Path folder;

    private final HttpClient http = HttpClient.newHttpClient();
    private TokenFile tokens;
    private String all;
    private Ledger ledger;
    private Api api;
    private NetworkCarrier carrier;

    @BeforeEach
    void open() throws IOException {
        tokens = new TokenFile(folder.resolve("tokens.json"), Host.system());
        all = tokens.add("all", Access.ALL, null);
        ledger = Ledgers.open("memory:");
        api = new Api(ledger, "memory:", Host.system(), "1");
        carrier = NetworkCarrier.start(
                api, new NetworkCarrier.Place("127.0.0.1", 0, null, null), tokens, Operations.NONE, Host.system());
    }

    @AfterEach
    void close() throws IOException {
        carrier.close();
        api.close();
        ledger.close();
    }

    private void post(String method, String json) throws IOException, InterruptedException {
        http.send(
                HttpRequest.newBuilder(URI.create(carrier.url() + "/v1/" + method))
                        .header("Authorization", "Bearer " + all)
                        .header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString(json))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    private HttpResponse<String> metrics(String token) throws IOException, InterruptedException {
        return http.send(
                HttpRequest.newBuilder(URI.create(carrier.url() + "/metrics"))
                        .header("Authorization", "Bearer " + token)
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void requestsAreCountedByMethodAndAnswer() throws Exception {
        post("claim", "{\"operation\":\"o\",\"key\":\"k\",\"attempt_id\":\"" + "a".repeat(32) + "\"}");
        post("find", "{\"operation\":\"o\",\"key\":\"other\"}");
        post("find", "{}");
        post("made-up-by-a-client", "{}");
        HttpResponse<String> metrics = metrics(all);
        assertThat(metrics.statusCode()).isEqualTo(200);
        assertThat(metrics.headers().firstValue("Content-Type").orElseThrow()).startsWith("text/plain");
        assertThat(metrics.body())
                .contains("idem_requests_seconds_count{answer=\"granted\",method=\"claim\"} 1")
                .contains("idem_requests_seconds_count{answer=\"none\",method=\"find\"} 1")
                .contains("idem_requests_seconds_count{answer=\"malformed\",method=\"find\"} 1")
                .contains("idem_requests_seconds_count{answer=\"malformed\",method=\"unknown\"} 1")
                .contains("idem_entries{state=\"in_progress\"} 1")
                .contains("idem_tickets_renewed", "idem_readers 0", "jvm_memory_used_bytes")
                .doesNotContain("made-up", "other");
    }

    /** They tell about all scopes together. */
    @Test
    void theyAreForThoseWhoMayReadAll() throws Exception {
        for (Access access : List.of(
                Access.of(List.of("read"), List.of("acme/*")), Access.of(List.of("act", "operate"), List.of("*")))) {
            String token =
                    tokens.add("t" + access.scopes().size() + access.rights().size(), access, null);
            assertThat(metrics(token).statusCode()).isEqualTo(403);
        }
        assertThat(metrics("stranger").statusCode()).isEqualTo(401);
        String reader = tokens.add("prometheus", Access.of(List.of("read"), List.of("*")), null);
        assertThat(metrics(reader).statusCode()).isEqualTo(200);
    }
}
