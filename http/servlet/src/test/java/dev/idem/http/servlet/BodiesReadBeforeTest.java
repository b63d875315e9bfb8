package dev.idem.http.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Idem;
import dev.idem.http.HttpGuard;
import dev.idem.http.HttpRules;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** An earlier filter has read the body, so two different requests would look alike. */
class BodiesReadBeforeTest {
    private static final int ALL = Integer.MAX_VALUE;

    private final Idem idem = Idem.builder().ledger("memory:").quiet().open();
    private final Handlers handlers = new Handlers();
    private final HttpClient client = HttpClient.newHttpClient();
    private Container container;

    @AfterEach
    void close() {
        container.close();
        idem.close();
    }

    private int post(String target, String type, BodyPublisher body, int readBefore) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + container.port() + target))
                .header("Idempotency-Key", "k-1")
                .header("X-Caller", "ann")
                .header("X-Signed-Bytes", Integer.toString(readBefore))
                .header("Content-Type", type)
                .POST(body)
                .build();
        HttpResponse<byte[]> response = client.send(request, BodyHandlers.ofByteArray());
        return response.statusCode();
    }

    private void start(Server server) throws Exception {
        container = server.start(new IdemFilter(new HttpGuard(idem, HttpRules.ietf())), handlers);
    }

    private static BodyPublisher chunked(String text) {
        InputStream in = new ByteArrayInputStream(text.getBytes(StandardCharsets.US_ASCII));
        return BodyPublishers.ofInputStream(() -> in);
    }

    static Stream<Object[]> bodies() {
        record Sent(String target, String type, BodyPublisher body, int readBefore) {}
        String part = "--b\r\nContent-Disposition: form-data; name=\"note\"\r\n\r\nhello\r\n--b--\r\n";
        return Server.onClassPath()
                .flatMap(server -> Stream.of(
                                new Sent("/size", "application/json", BodyPublishers.ofString("{\"a\":1}"), ALL),
                                new Sent("/size", "application/octet-stream", BodyPublishers.ofString("tea"), ALL),
                                new Sent("/size", "application/octet-stream", BodyPublishers.ofString("tea"), 2),
                                new Sent("/size", "text/plain", chunked("tea"), ALL),
                                new Sent(
                                        "/form?from=shop",
                                        "application/x-www-form-urlencoded",
                                        BodyPublishers.ofString("item=tea"),
                                        ALL),
                                new Sent(
                                        "/parts",
                                        "multipart/form-data; boundary=b",
                                        BodyPublishers.ofString(part),
                                        ALL))
                        .map(sent -> new Object[] {server, sent.target, sent.type, sent.body, sent.readBefore}));
    }

    @ParameterizedTest
    @MethodSource("bodies")
    void aBodyThatAnEarlierFilterHasReadIsRefusedAndNothingRuns(
            Server server, String target, String type, BodyPublisher body, int readBefore) throws Exception {
        start(server);

        assertThat(post(target, type, body, readBefore)).isEqualTo(500);
        assertThat(handlers.runs).hasValue(0);
    }

    @ParameterizedTest
    @MethodSource("dev.idem.http.servlet.Server#onClassPath")
    void anEmptyBodyIsNoBodyThatWasRead(Server server) throws Exception {
        start(server);

        assertThat(post("/size", "text/plain", chunked(""), 0)).isEqualTo(200);
        assertThat(post("/writer", "text/plain", BodyPublishers.noBody(), 0)).isEqualTo(200);
        assertThat(post("/nothing", "application/x-www-form-urlencoded", BodyPublishers.noBody(), 0))
                .isEqualTo(204);
    }
}
