package dev.idem.http.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Idem;
import dev.idem.http.HttpGuard;
import dev.idem.http.HttpRules;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A guard that looks for the key in the body, and finds none. */
class KeyInBodyTest {
    private final Idem idem = Idem.builder().ledger("memory:").quiet().open();
    private final Handlers handlers = new Handlers();
    private final HttpClient client = HttpClient.newHttpClient();
    private Container container;

    @AfterEach
    void close() {
        container.close();
        idem.close();
    }

    private String post(String path, String type, String body) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + container.port() + path))
                .header("X-Caller", "ann")
                .header("Content-Type", type)
                .POST(BodyPublishers.ofString(body))
                .build();
        return client.send(request, BodyHandlers.ofString()).body();
    }

    @ParameterizedTest
    @MethodSource("dev.idem.http.servlet.Server#onClassPath")
    void aBodyWithoutAKeyStillReachesItsHandler(Server server) throws Exception {
        HttpRules rules = HttpRules.ietf().key("/request_id", "request_id").largestInMemory(10);
        container = server.start(new IdemFilter(new HttpGuard(idem, rules)), handlers);

        assertThat(post("/size", "application/json", "{\"item\":12}")).contains("too-large");
        assertThat(post("/size", "application/json", "{\"item\":1}")).isEqualTo("1 10");
        assertThat(post("/form?from=shop", "application/x-www-form-urlencoded", "item=tea"))
                .isEqualTo("teashop2");
        assertThat(post("/dispatch-size", "application/json", "{\"item\":1}")).isEqualTo("dispatched 10");
        // Here the container dispatches its own request, whose body has been read.
        assertThat(post("/dispatch-size-of-the-container", "application/json", "{\"item\":1}"))
                .isEqualTo("dispatched 10");
        assertThat(post("/size", "text/plain", "a long text without a key")).isEqualTo("5 25");
    }
}
