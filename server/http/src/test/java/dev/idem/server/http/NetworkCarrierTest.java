package dev.idem.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.server.Access;
import dev.idem.server.Api;
import dev.idem.server.Operations;
import dev.idem.server.TokenFile;
import dev.idem.spi.ForwardingLedger;
import dev.idem.spi.Host;
import dev.idem.spi.Ledger;
import dev.idem.spi.Ledgers;
import dev.idem.testkit.Until;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NetworkCarrierTest {
    private static final String END = "}\n";

    @TempDir
    Path folder;

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
        carrier = start(null, Duration.ofSeconds(60));
    }

    @AfterEach
    void close() throws IOException {
        carrier.close();
        api.close();
        ledger.close();
    }

    private NetworkCarrier start(@Nullable URI url, Duration patience) throws IOException {
        return start(api, url, patience);
    }

    private NetworkCarrier start(Api of, @Nullable URI url, Duration patience) throws IOException {
        return NetworkCarrier.start(
                of,
                new NetworkCarrier.Place("127.0.0.1", 0, null, url),
                tokens,
                Operations.NONE,
                Host.system(),
                patience);
    }

    private SocketChannel connect() throws IOException {
        return SocketChannel.open(new InetSocketAddress("127.0.0.1", carrier.port()));
    }

    private static void send(SocketChannel to, String text) throws IOException {
        to.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
    }

    /** Reads until the text holds what is expected, or the other side has closed. */
    private static String read(SocketChannel from, String expected) throws IOException {
        StringBuilder text = new StringBuilder();
        ByteBuffer buffer = ByteBuffer.allocate(1 << 16);
        while (text.indexOf(expected) < 0 && from.read(buffer) >= 0) {
            buffer.flip();
            text.append(StandardCharsets.UTF_8.decode(buffer));
            buffer.clear();
        }
        return text.toString();
    }

    private static String post(String method, String body, String... headers) {
        return "POST /v1/" + method
                + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: "
                + body.getBytes(StandardCharsets.UTF_8).length + "\r\n"
                + String.join(
                        "", List.of(headers).stream().map(each -> each + "\r\n").toList()) + "\r\n" + body;
    }

    private static String bearer(String secret) {
        return "Authorization: Bearer " + secret;
    }

    private String answer(String request) throws IOException {
        try (SocketChannel channel = connect()) {
            send(channel, request);
            return read(channel, END);
        }
    }

    private String get(String path, String... headers) throws IOException {
        try (SocketChannel channel = connect()) {
            send(
                    channel,
                    "GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
                            + String.join(
                                    "",
                                    List.of(headers).stream()
                                            .map(each -> each + "\r\n")
                                            .toList()) + "\r\n");
            return read(channel, "\0");
        }
    }

    /** A caller of this API has fields, and no methods of Java. */
    @ParameterizedTest
    @ValueSource(strings = {"charge order 7", "ördnung", "\\u0007"})
    void aRefusedKeyIsToldInTheWordsOfTheApi(String key) throws IOException {
        String body = "{\"operation\":\"charge\",\"key\":\"" + key + "\",\"attempt_id\":\"" + id() + "\"}";
        assertThat(answer(post("claim", body, bearer(all))))
                .startsWith("HTTP/1.1 400")
                .contains("Give an identity instead", "Nothing was done")
                .doesNotContain("(...)");
    }

    @Test
    void aTokenOpensIt() throws IOException {
        assertThat(answer(post("hello", "{}", bearer(all))))
                .startsWith("HTTP/1.1 200")
                .contains("\"answer\":\"hello\"")
                .contains("Cache-Control: no-store")
                .doesNotContain(all);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Authorization: Bearer", "Authorization: Bearer wrong", "Authorization: Basic YTpi"})
    void nothingElseDoes(String header) throws IOException {
        String[] headers = header.isEmpty() ? new String[0] : new String[] {header};
        for (String method : List.of("hello", "claim", "stats", "no-such-method")) {
            assertThat(answer(post(method, "{}", headers)))
                    .startsWith("HTTP/1.1 401")
                    .contains("WWW-Authenticate: Bearer")
                    .contains("\"unauthorised\"");
        }
        assertThat(get("/v1/events", headers)).startsWith("HTTP/1.1 401");
        assertThat(get("/anything", headers)).startsWith("HTTP/1.1 401");
    }

    /** Its client got no answer at all. */
    @Test
    void aStreamOfALedgerThatFailsIsAnError() throws IOException {
        AtomicBoolean broken = new AtomicBoolean();
        Ledger breaking = new ForwardingLedger(ledger) {
            @Override
            public <C> Optional<C> as(Class<C> capability) {
                if (broken.get()) {
                    throw new IllegalStateException("broken");
                }
                return super.as(capability);
            }
        };
        carrier.close();
        try (Api other = new Api(breaking, "memory:", Host.system(), "1")) {
            carrier = start(other, null, Duration.ofSeconds(60));
            broken.set(true);
            assertThat(get("/v1/events", bearer(all)))
                    .startsWith("HTTP/1.1 500")
                    .contains("broken");
            carrier.close();
        }
    }

    /** Slow bodies of one client kept the large bodies of all others out. */
    @Test
    void aClientWithLargeBodiesLeavesRoomForOthers() throws IOException {
        String other = tokens.add("other", Access.ALL, null);
        String start =
                post("claim", "", bearer(all)).replace("Content-Length: 0", "Content-Length: " + Api.LARGEST_REQUEST);
        List<SocketChannel> slow = new ArrayList<>();
        try {
            for (int i = 0; i < 9; i++) {
                slow.add(connect());
                send(slow.get(i), start);
                slow.get(i).configureBlocking(false);
            }
            Until.isTrue("one is refused", () -> slow.stream().anyMatch(NetworkCarrierTest::isAnswered));
            assertThat(answer(post("stats", "{" + " ".repeat(100_000) + "}", bearer(other))))
                    .startsWith("HTTP/1.1 200");
        } finally {
            for (SocketChannel one : slow) {
                one.close();
            }
        }
    }

    private static boolean isAnswered(SocketChannel waiting) {
        try {
            return waiting.read(ByteBuffer.allocate(1)) > 0;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void twoTokensAreNone() throws IOException {
        assertThat(answer(post("hello", "{}", bearer(all), bearer("x")))).startsWith("HTTP/1.1 401");
    }

    /** A stranger could fill the memory. */
    @Test
    void aStrangersBodyIsNotRead() throws IOException {
        String head = post("claim", "", bearer("stranger")).replace("Content-Length: 0", "Content-Length: 99999999");
        assertThat(answer(head)).startsWith("HTTP/1.1 401").contains("Connection: close");
    }

    /** Clients send the header and the body apart, and use the connection again: a refusal in between cut their next request. */
    @Test
    void aRefusalComesAfterAShortBody() throws Exception {
        String wrong = post("hello", "{}", bearer("stranger"));
        try (SocketChannel channel = connect()) {
            for (int i = 0; i < 20; i++) {
                send(channel, wrong.substring(0, wrong.length() - 2));
                LockSupport.parkNanos(Duration.ofMillis(10).toNanos());
                send(channel, wrong.substring(wrong.length() - 2));
                assertThat(read(channel, END)).startsWith("HTTP/1.1 401").doesNotContain("Connection: close");
                send(channel, post("hello", "{}", bearer(all)));
                assertThat(read(channel, END)).startsWith("HTTP/1.1 200");
            }
        }
    }

    @Test
    void whatWasRevokedWhileTheBodyCameIsRefused() throws Exception {
        String other = tokens.add("other", Access.ALL, null);
        try (SocketChannel channel = connect()) {
            String request =
                    post("claim", "{\"operation\":\"o\",\"key\":\"k\",\"attempt_id\":\"" + id() + "\"}", bearer(other));
            send(channel, request.substring(0, request.length() - 1));
            assertThat(answer(post("hello", "{}", bearer(other)))).startsWith("HTTP/1.1 200");
            tokens.revoke("other");
            Until.isTrue("it is refused", () -> isRefused(other));
            send(channel, request.substring(request.length() - 1));
            assertThat(read(channel, END)).startsWith("HTTP/1.1 401");
        }
        assertThat(answer(post("find", "{\"operation\":\"o\",\"key\":\"k\"}", bearer(all))))
                .contains("\"none\"");
    }

    @Test
    void aRevokedTokenSettlesNothing() throws Exception {
        String other = tokens.add("other", Access.ALL, null);
        String granted = answer(
                post("claim", "{\"operation\":\"o\",\"key\":\"k\",\"attempt_id\":\"" + id() + "\"}", bearer(other)));
        String ticket = granted.replaceAll("(?s).*\"ticket\":\"([^\"]+)\".*", "$1");
        tokens.revoke("other");
        String settle = post("settle", "{\"ticket\":\"" + ticket + "\",\"as\":\"complete\"}", bearer(other));
        Until.isTrue("it is refused", () -> isRefused(other));
        assertThat(answer(settle)).startsWith("HTTP/1.1 401");
        assertThat(answer(post("find", "{\"operation\":\"o\",\"key\":\"k\"}", bearer(all))))
                .contains("in_progress");
    }

    /** It would have heard up to 25 seconds later what became of the call. */
    @Test
    void aRevocationEndsAWait() throws Exception {
        String other = tokens.add("other", Access.ALL, null);
        String granted = answer(
                post("claim", "{\"operation\":\"o\",\"key\":\"k\",\"attempt_id\":\"" + id() + "\"}", bearer(other)));
        String fence = granted.replaceAll("(?s).*\"fence\":\"([^\"]+)\".*", "$1");
        try (SocketChannel channel = connect()) {
            send(
                    channel,
                    post("wait", "{\"operation\":\"o\",\"key\":\"k\",\"fence\":\"" + fence + "\"}", bearer(other)));
            tokens.revoke("other");
            assertThat(read(channel, END)).startsWith("HTTP/1.1 401");
        }
    }

    @Test
    void theTokenIsNamedInTheTrail() throws IOException {
        String granted = answer(
                post("claim", "{\"operation\":\"o\",\"key\":\"k\",\"attempt_id\":\"" + id() + "\"}", bearer(all)));
        String ticket = granted.replaceAll("(?s).*\"ticket\":\"([^\"]+)\".*", "$1");
        String fence = granted.replaceAll("(?s).*\"fence\":\"([^\"]+)\".*", "$1");
        answer(post("settle", "{\"ticket\":\"" + ticket + "\",\"as\":\"in_doubt\"}", bearer(all)));
        String resolve = "{\"operation\":\"o\",\"key\":\"k\",\"fence\":\"" + fence
                + "\",\"state\":\"in_doubt\",\"as\":\"complete\",\"why\":\"seen\",\"who\":\"ann\",\"request_id\":\"request-1\"}";
        assertThat(answer(post("resolve", resolve, bearer(all)))).contains("\"done\"");
        assertThat(answer(post("find", "{\"operation\":\"o\",\"key\":\"k\"}", bearer(all))))
                .contains("resolved by ann (token all): seen");
    }

    private boolean isRefused(String secret) {
        try {
            return answer(post("hello", "{}", bearer(secret))).startsWith("HTTP/1.1 401");
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "localhost, 200",
        "LOCALHOST:9, 200",
        "127.0.0.1:1, 200",
        "[::1]:1, 200",
        "evil.example, 403",
        "localhost.evil.example, 403",
        "127.0.0.1.evil.example, 403",
    })
    void aNameThatIsNotItsOwnIsRefused(String host, int status) throws IOException {
        assertThat(answer(post("hello", "{}", bearer(all)).replace("Host: localhost", "Host: " + host)))
                .startsWith("HTTP/1.1 " + status);
    }

    @Test
    void withoutAHostThereIsNoAnswer() throws IOException {
        assertThat(answer("POST /v1/hello HTTP/1.0\r\nContent-Type: application/json\r\nContent-Length: 2\r\n"
                        + bearer(all) + "\r\n\r\n{}"))
                .startsWith("HTTP/1.1 403");
    }

    @ParameterizedTest
    @CsvSource({"same-origin, 200", "same-site, 403", "cross-site, 403", "none, 403"})
    void aPageOfAnotherSiteIsRefused(String site, int status) throws IOException {
        assertThat(answer(post("hello", "{}", bearer(all), "Sec-Fetch-Site: " + site)))
                .startsWith("HTTP/1.1 " + status);
    }

    @Test
    void noOtherSiteIsEverAllowed() throws IOException {
        String asked = answer("OPTIONS /v1/hello HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost:1\r\n"
                + "Access-Control-Request-Method: POST\r\n\r\n");
        assertThat(asked).doesNotContain("Access-Control").startsWith("HTTP/1.1 401");
    }

    @Test
    void aFormOfAnotherPageIsRefused() throws IOException {
        assertThat(answer(post("hello", "{}", bearer(all)).replace("application/json", "text/plain")))
                .startsWith("HTTP/1.1 415");
    }

    @Test
    void aProxyMayShowItElsewhere() throws IOException {
        carrier.close();
        int port;
        try (NetworkCarrier shown = start(URI.create("https://ops.example.com/idem/"), Duration.ofSeconds(60))) {
            assertThat(shown.url()).hasToString("https://ops.example.com/idem/");
            port = shown.port();
            for (String path : List.of("/idem/v1/hello", "/v1/hello")) {
                try (SocketChannel channel = SocketChannel.open(new InetSocketAddress("127.0.0.1", port))) {
                    send(
                            channel,
                            post("hello", "{}", bearer(all))
                                    .replace("/v1/hello", path)
                                    .replace("Host: localhost", "Host: ops.example.com"));
                    assertThat(read(channel, END)).startsWith("HTTP/1.1 200");
                }
            }
        }
    }

    @Test
    void itTellsWhetherItLivesAndIsReady() throws IOException {
        assertThat(get("/healthz")).startsWith("HTTP/1.1 200").endsWith("alive\n");
        assertThat(get("/readyz")).startsWith("HTTP/1.1 200").endsWith("ready\n");
    }

    @Test
    void aLedgerThatIsGoneIsNotReady() throws IOException {
        ledger.close();
        assertThat(get("/readyz")).startsWith("HTTP/1.1 503").contains("application/problem+json");
        assertThat(get("/healthz")).startsWith("HTTP/1.1 200");
    }

    /** Jetty counts from the last byte. */
    @Test
    void aHeaderThatDripsEnds() throws Exception {
        carrier.close();
        carrier = start(null, Duration.ofSeconds(2));
        try (SocketChannel slow = connect()) {
            slow.configureBlocking(false);
            send(slow, "POST /v1/hello HTTP/1.1\r\nHost: localhost\r\nX: ");
            Until.isTrue("it is closed", () -> {
                try {
                    send(slow, "x");
                    return slow.read(ByteBuffer.allocate(1000)) < 0;
                } catch (IOException e) {
                    return true;
                }
            });
        }
        assertThat(answer(post("hello", "{}", bearer(all)))).startsWith("HTTP/1.1 200");
    }

    /** Also where others send a lot meanwhile: Jetty compares with the bytes of all of them. */
    @Test
    void aBodyThatDripsEnds() throws Exception {
        carrier.close();
        carrier = start(null, Duration.ofSeconds(2));
        for (int i = 0; i < 20; i++) {
            assertThat(answer(post("hello", "{" + " ".repeat(60_000) + "}", bearer(all))))
                    .startsWith("HTTP/1.1 200");
        }
        try (SocketChannel slow = connect()) {
            slow.configureBlocking(false);
            send(slow, post("hello", "", bearer(all)).replace("Content-Length: 0", "Content-Length: 60000"));
            StringBuilder text = new StringBuilder();
            Until.isTrue("it is told so", () -> {
                try {
                    send(slow, " ");
                    LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
                    ByteBuffer buffer = ByteBuffer.allocate(4096);
                    if (slow.read(buffer) > 0) {
                        text.append(StandardCharsets.UTF_8.decode(buffer.flip()));
                    }
                    return text.toString().contains(END);
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
            });
            assertThat(text.toString()).startsWith("HTTP/1.1 408").contains("too slowly");
        }
    }

    /** Jetty's own reader failed the one after it. */
    @RepeatedTest(5)
    void aBodyThatIsTooLongIsRefusedAloneOnItsConnection() throws IOException {
        String tooLong = post("hello", " ".repeat(Api.LARGEST_REQUEST + 1), bearer(all));
        String shortly = post("hello", "{}", bearer(all));
        try (SocketChannel channel = connect()) {
            for (int i = 0; i < 3; i++) {
                send(channel, tooLong);
                assertThat(read(channel, END)).startsWith("HTTP/1.1 413");
                send(channel, shortly);
                assertThat(read(channel, END)).startsWith("HTTP/1.1 200");
            }
        }
    }

    @Test
    void aRequestWithTwoLengthsIsRefused() throws IOException {
        assertThat(answer(post("hello", "{}", bearer(all), "Content-Length: 3")))
                .startsWith("HTTP/1.1 400")
                .contains("application/problem+json");
        assertThat(answer(post("hello", "{}", bearer(all), "Transfer-Encoding: chunked")))
                .startsWith("HTTP/1.1 400");
    }

    @Test
    void aHeaderThatIsTooLongIsAProblem() throws IOException {
        assertThat(answer(post("hello", "{}", bearer(all), "X: " + "x".repeat(9000))))
                .startsWith("HTTP/1.1 431")
                .contains("application/problem+json")
                .doesNotContain("<html");
    }

    @Test
    void aReaderHearsThatSomethingChanged() throws Exception {
        try (SocketChannel channel = connect()) {
            send(
                    channel,
                    "GET /v1/events?filter=%7B%22scope%22%3A%22mine%22%7D HTTP/1.1\r\nHost: localhost\r\n" + bearer(all)
                            + "\r\n\r\n");
            assertThat(read(channel, ": listening")).contains("text/event-stream");
            claim("others", "k");
            claim("mine", "k");
            assertThat(read(channel, "event: changed")).contains("id: 1\n").doesNotContain("id: 2");
        }
        try (SocketChannel channel = connect()) {
            send(
                    channel,
                    "GET /v1/events HTTP/1.1\r\nHost: localhost\r\nLast-Event-ID: 1\r\n" + bearer(all) + "\r\n\r\n");
            assertThat(read(channel, "event: reload")).contains("event: reload");
        }
    }

    @Test
    void aReaderOfOtherScopesHearsNothing() throws Exception {
        String acme = tokens.add("acme", Access.of(List.of("read"), List.of("acme/*")), null);
        try (SocketChannel channel = connect()) {
            send(channel, "GET /v1/events HTTP/1.1\r\nHost: localhost\r\n" + bearer(acme) + "\r\n\r\n");
            read(channel, ": listening");
            claim("acme2/x", "k");
            claim("acme", "k");
            claim("acme/x", "k");
            assertThat(read(channel, "event: changed")).contains("id: 1\n");
        }
        assertThat(get("/v1/events?filter=%7B%22scope%22%3A%22acme2%22%7D", bearer(acme)))
                .startsWith("HTTP/1.1 403");
        assertThat(get("/v1/events?filter=rubbish", bearer(acme))).startsWith("HTTP/1.1 400");
    }

    @Test
    void aRevocationEndsAStream() throws Exception {
        String other = tokens.add("other", Access.ALL, null);
        try (SocketChannel channel = connect()) {
            send(channel, "GET /v1/events HTTP/1.1\r\nHost: localhost\r\n" + bearer(other) + "\r\n\r\n");
            read(channel, ": listening");
            tokens.revoke("other");
            assertThat(read(channel, "0\r\n\r\n")).endsWith("0\r\n\r\n");
        }
    }

    @Test
    void aPortThatIsTakenIsTold() {
        assertThatThrownBy(() -> NetworkCarrier.start(
                        api,
                        new NetworkCarrier.Place("127.0.0.1", carrier.port(), null, null),
                        tokens,
                        Operations.NONE,
                        Host.system()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("can't listen at 127.0.0.1:" + carrier.port());
    }

    private void claim(String scope, String key) throws IOException {
        assertThat(answer(post(
                        "claim",
                        "{\"scope\":\"" + scope + "\",\"operation\":\"o\",\"key\":\"" + key + "\",\"attempt_id\":\""
                                + id() + "\"}",
                        bearer(all))))
                .contains("granted");
    }

    private static String id() {
        return UUID.randomUUID().toString().replace("-", "");
    }

    /**
     * It refused them, and a proxy that had just found the other server away had nobody left to ask. And the end failed where a
     * request took longer.
     */
    @Test
    void aServerThatEndsAnswersWhatItsConnectionsSend() throws Exception {
        List<SocketChannel> channels = new ArrayList<>();
        try (SocketChannel slow = connect()) {
            send(slow, post("hello", "", bearer(all)).replace("Content-Length: 0", "Content-Length: 60000"));
            for (int i = 0; i < 20; i++) {
                channels.add(connect());
                assertThat(answerOrEnd(channels.get(i))).startsWith("HTTP/1.1 200");
            }
            CompletableFuture<Void> end = CompletableFuture.runAsync(() -> {
                try {
                    carrier.close();
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            while (!end.isDone()) {
                for (SocketChannel channel : channels) {
                    assertThat(answerOrEnd(channel))
                            .matches(answer -> answer.isEmpty() || answer.startsWith("HTTP/1.1 200"));
                }
                if (isSent(slow)) {
                    LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
                }
            }
            end.join();
        } finally {
            for (SocketChannel channel : channels) {
                channel.close();
            }
        }
    }

    /** It said that the body came too slowly, and nobody sends such a request again. */
    @Test
    void aServerThatEndsBeforeABodyIsThereSaysThatNothingWasDone() throws Exception {
        try (SocketChannel half = connect()) {
            send(
                    half,
                    post("hello", "", bearer(all), "Expect: 100-continue")
                            .replace("Content-Length: 0", "Content-Length: 60000"));
            assertThat(read(half, "\r\n\r\n")).startsWith("HTTP/1.1 100");
            carrier.close();
            assertThat(read(half, END)).startsWith("HTTP/1.1 503").contains("\"busy\"", "Nothing was done");
        }
    }

    private static boolean isSent(SocketChannel channel) {
        try {
            send(channel, " ");
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private String answerOrEnd(SocketChannel channel) {
        try {
            send(channel, post("hello", "{}", bearer(all)));
            return read(channel, END);
        } catch (IOException e) {
            return "";
        }
    }
}
