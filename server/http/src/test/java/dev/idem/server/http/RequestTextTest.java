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
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The bytes of requests. Bytes that are not UTF-8 all become the same replacement character, and two calls become one. */
class RequestTextTest {
    private static final String CLAIM =
            "{\"operation\":\"charge\",\"identity\":{\"customer\":\"%s\"},\"attempt_id\":\"%032x\"}";

    @TempDir
    Path folder;

    private final HttpClient http = HttpClient.newHttpClient();
    private String token;
    private Ledger ledger;
    private Api api;
    private NetworkCarrier carrier;

    @BeforeEach
    void open() throws IOException {
        TokenFile tokens = new TokenFile(folder.resolve("tokens.json"), Host.system());
        token = tokens.add("all", Access.ALL, null);
        ledger = Ledgers.open("memory:");
        api = new Api(ledger, "memory:", Host.system(), "1");
        carrier = NetworkCarrier.start(
                api,
                new NetworkCarrier.Place("127.0.0.1", 0, null, null),
                tokens,
                Operations.NONE,
                Host.system(),
                Duration.ofSeconds(60));
    }

    @AfterEach
    void close() throws IOException {
        carrier.close();
        api.close();
        ledger.close();
    }

    private HttpRequest.Builder to(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + carrier.port() + path))
                .header("Authorization", "Bearer " + token);
    }

    private HttpResponse<String> post(String media, byte[] body) throws Exception {
        return http.send(
                to("/v1/claim")
                        .header("Content-Type", media)
                        .POST(HttpRequest.BodyPublishers.ofByteArray(body))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    private static String claim(String customer, int attempt) {
        return String.format(CLAIM, customer, attempt);
    }

    @ParameterizedTest
    @ValueSource(strings = {"M\u00fcller", "M\u00f6ller"})
    void bytesThatAreNotUtf8AreRefused(String customer) throws Exception {
        assertThat(post("application/json", claim("M\uFFFDller", 1).getBytes(StandardCharsets.UTF_8))
                        .body())
                .contains("\"granted\"");
        HttpResponse<String> answer =
                post("application/json", claim(customer, 2).getBytes(StandardCharsets.ISO_8859_1));
        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.body()).contains("malformed", "invalid UTF-8", "Nothing was done");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "application/json; charset=iso-8859-1",
                "application/json;charset=\"windows-1252\"",
                "application/json; x=y; Charset=UTF-16",
                "application/json; charset"
            })
    void anotherCharsetIsRefused(String media) throws Exception {
        HttpResponse<String> answer = post(media, claim("ann", 1).getBytes(StandardCharsets.UTF_8));
        assertThat(answer.statusCode()).isEqualTo(415);
        assertThat(answer.body()).contains("UTF-8", "Nothing was done");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "application/json; charset=utf-8",
                "Application/JSON;charset=\"UTF-8\"",
                "application/json; charset=utf8; x=y"
            })
    void utf8MayBeNamed(String media) throws Exception {
        assertThat(post(media, claim("Müller", 1).getBytes(StandardCharsets.UTF_8))
                        .body())
                .contains("\"granted\"");
    }

    @Test
    void aFilterThatIsNotUtf8IsRefused() throws Exception {
        HttpResponse<String> answer = http.send(
                to("/v1/events?filter=%7B%22operation%22:%22M%FCller%22%7D").build(),
                HttpResponse.BodyHandlers.ofString());
        assertThat(answer.statusCode()).isEqualTo(400);
    }
}
