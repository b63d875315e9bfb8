package dev.idem.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.server.Api;
import dev.idem.spi.Host;
import dev.idem.spi.Ledger;
import dev.idem.spi.Ledgers;
import dev.idem.testkit.Until;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SocketCarrierTest {
    private static final String CLAIM =
            "{\"operation\":\"charge\",\"key\":\"k\",\"attempt_id\":\"0123456789abcdef0123456789abcdef\"}";

    @TempDir
    Path folder;

    private Path path;
    private Ledger ledger;
    private Api api;
    private SocketCarrier carrier;

    @BeforeEach
    void open() throws IOException {
        path = folder.resolve("run/s.sock");
        ledger = Ledgers.open("memory:");
        api = new Api(ledger, "memory:", Host.system(), "1");
        carrier = SocketCarrier.start(api, path);
    }

    @AfterEach
    void close() throws IOException {
        carrier.close();
        api.close();
        ledger.close();
    }

    private SocketChannel connect() throws IOException {
        return SocketChannel.open(UnixDomainSocketAddress.of(path));
    }

    private static void send(SocketChannel to, String text) throws IOException {
        to.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
    }

    private static String post(String method, String body) {
        return "POST /v1/" + method + " HTTP/1.1\r\nHost: idem\r\nContent-Type: application/json\r\nContent-Length: "
                + body.getBytes(StandardCharsets.UTF_8).length + "\r\n\r\n" + body;
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

    private String answer(String request) throws IOException {
        try (SocketChannel channel = connect()) {
            send(channel, request);
            return read(channel, "}\n");
        }
    }

    @Test
    void aMethodIsCalledByAPost() throws IOException {
        try (SocketChannel channel = connect()) {
            send(channel, post("claim", CLAIM));
            assertThat(read(channel, "}\n")).startsWith("HTTP/1.1 200").contains("\"answer\":\"granted\"");
            send(channel, post("find", "{\"operation\":\"charge\",\"key\":\"k\"}"));
            assertThat(read(channel, "}\n"))
                    .contains("\"state\":\"in_progress\"")
                    .doesNotContain("Server:");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "GET /v1/stats HTTP/1.1, 405",
        "POST /other HTTP/1.1, 404",
        "POST /v1/stats HTTP/1.1, 415",
    })
    void whatIsNoCallIsRefused(String line, int status) throws IOException {
        assertThat(answer(line + "\r\nHost: idem\r\nContent-Length: 0\r\n\r\n"))
                .startsWith("HTTP/1.1 " + status)
                .contains("application/problem+json");
    }

    @Test
    void anErrorIsAProblem() throws IOException {
        assertThat(answer(post("claim", "{}"))).startsWith("HTTP/1.1 400").contains("\"code\":\"malformed\"");
        assertThat(answer(post("claim", "rubbish"))).startsWith("HTTP/1.1 400");
        assertThat(answer(post("hello", "{\"protocol\":9}")))
                .startsWith("HTTP/1.1 409")
                .contains("\"mismatch\"");
    }

    @Test
    void aBodyThatIsTooLargeIsRefused() throws IOException {
        try (SocketChannel channel = connect()) {
            send(
                    channel,
                    "POST /v1/claim HTTP/1.1\r\nHost: idem\r\nContent-Type: application/json\r\nContent-Length: "
                            + (Api.LARGEST_REQUEST + 1) + "\r\n\r\n");
            ByteBuffer chunk = ByteBuffer.allocate(1 << 20);
            try {
                for (int i = 0; i < 18; i++) {
                    channel.write(chunk.duplicate());
                }
            } catch (IOException e) {
                // The server has stopped reading.
            }
            assertThat(read(channel, "}\n")).startsWith("HTTP/1.1 413").contains("too_large");
        }
    }

    @Test
    void onlyItsUserMayReachIt() throws IOException {
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
                .isEqualTo("rw-------");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path.getParent())))
                .isEqualTo("rwx------");
        Path open = Files.createDirectory(folder.resolve("open"));
        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxr-xr-x"));
        assertThatThrownBy(() -> SocketCarrier.start(api, open.resolve("s.sock")))
                .hasMessageContaining("chmod 700");
        assertThatThrownBy(() -> SocketCarrier.start(api, folder.resolve("x".repeat(120))))
                .hasMessageContaining("give a shorter one");
    }

    @Test
    void aSecondServerIsToldThatOneRuns() throws IOException {
        assertThatThrownBy(() -> SocketCarrier.start(api, path))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("a server runs at");
        assertThat(answer(post("stats", "{}"))).startsWith("HTTP/1.1 200");
    }

    @Test
    void aFileThatWasLeftBehindIsReplaced() throws IOException {
        carrier.close();
        assertThat(path).doesNotExist();
        try (ServerSocketChannel left = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            left.bind(UnixDomainSocketAddress.of(path));
        }
        assertThat(path).exists();
        carrier = SocketCarrier.start(api, path);
        assertThat(answer(post("stats", "{}"))).startsWith("HTTP/1.1 200");
    }

    /** It was bound a moment before it listened: a client that saw the file was refused. */
    @Test
    void whoeverSeesTheFileCanConnect() throws Exception {
        Path other = path.resolveSibling("other.sock");
        for (int i = 0; i < 30; i++) {
            FutureTask<SocketCarrier> starting = new FutureTask<>(() -> SocketCarrier.start(api, other));
            new Thread(starting).start();
            while (!Files.exists(other)) {
                Thread.onSpinWait();
                assertThat(starting.isDone() && !Files.exists(other)).isFalse();
            }
            SocketChannel.open(UnixDomainSocketAddress.of(other)).close();
            starting.get().close();
        }
        assertThat(other.getParent().toFile().list())
                .containsExactlyInAnyOrder("s.sock", "s.sock.lock", "other.sock.lock");
    }

    /** It was deleted. */
    @Test
    void aFileThatIsNoSocketStays() throws IOException {
        Path notes = Files.writeString(path.resolveSibling("notes.txt"), "dear diary");
        assertThatThrownBy(() -> SocketCarrier.start(api, notes)).hasMessageContaining("is no socket");
        assertThat(notes).hasContent("dear diary");
    }

    @ParameterizedTest
    @ValueSource(strings = {"Content-Length: 16777216", "Transfer-Encoding: chunked"})
    void onlySomeRequestsMayBeLarge(String length) throws IOException {
        String start = post("claim", "").replace("Content-Length: 0", length);
        List<SocketChannel> slow = new ArrayList<>();
        try {
            for (int i = 0; i < 9; i++) {
                slow.add(connect());
                send(slow.get(i), start);
                slow.get(i).configureBlocking(false);
            }
            // Any of them may be the one too many.
            Until.isTrue("one is refused", () -> slow.stream().anyMatch(SocketCarrierTest::isRefused));
            assertThat(answer(post("stats", "{}"))).startsWith("HTTP/1.1 200");
        } finally {
            for (SocketChannel one : slow) {
                one.close();
            }
        }
        String large = post("stats", "{" + " ".repeat(100_000) + "}");
        Until.isTrue("the others are gone", () -> isServed(large));
        for (int i = 0; i < 9; i++) {
            assertThat(isServed(large)).isTrue();
        }
    }

    private boolean isServed(String request) {
        try {
            return answer(request).startsWith("HTTP/1.1 200");
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static boolean isRefused(SocketChannel waiting) {
        try {
            ByteBuffer buffer = ByteBuffer.allocate(4096);
            return waiting.read(buffer) > 0
                    && StandardCharsets.UTF_8.decode(buffer.flip()).toString().startsWith("HTTP/1.1 429");
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** Each held a thread, until nobody else was served. */
    @Test
    void slowClientsHoldUpNobody() throws IOException {
        List<SocketChannel> slow = new ArrayList<>();
        try {
            for (int i = 0; i < 300; i++) {
                SocketChannel one = connect();
                slow.add(one);
                send(
                        one,
                        i % 2 == 0 ? "POST /v1/claim HTT" : post("claim", CLAIM).substring(0, 120));
            }
            assertThat(answer(post("stats", "{}"))).startsWith("HTTP/1.1 200");
        } finally {
            for (SocketChannel one : slow) {
                one.close();
            }
        }
    }

    @Test
    void theUserAtTheOtherEndDecides() throws IOException {
        String granted = answer(post("claim", CLAIM));
        String ticket = granted.replaceAll("(?s).*\"ticket\":\"([^\"]+)\".*", "$1");
        String fence = granted.replaceAll("(?s).*\"fence\":\"([^\"]+)\".*", "$1");
        answer(post("settle", "{\"ticket\":\"" + ticket + "\",\"as\":\"in_doubt\"}"));
        String seen = "{\"operation\":\"charge\",\"key\":\"k\",\"fence\":\"" + fence
                + "\",\"state\":\"in_doubt\",\"as\":\"complete\"," + "\"why\":\"seen\",\"request_id\":\"request-1\"}";
        assertThat(answer(post("resolve", seen))).contains("\"done\"");
        assertThat(answer(post("find", "{\"operation\":\"charge\",\"key\":\"k\"}")))
                .contains("resolved by " + System.getProperty("user.name") + ": seen");
    }

    @Test
    void aTicketOfAnUnseenClientIsNotRenewed() throws IOException {
        answer(post("claim", CLAIM));
        assertThat(api.renewed()).isZero();
        var self = Host.system().self().process();
        org.junit.jupiter.api.Assumptions.assumeTrue(self != null, "processes can't be told apart here");
        answer(post(
                "claim",
                "{\"operation\":\"charge\",\"key\":\"k2\",\"attempt_id\":\"1123456789abcdef0123456789abcdef\",\"owner\":"
                        + "{\"process\":{\"host\":\"" + self.host() + "\",\"pid\":" + self.pid() + ",\"start\":"
                        + self.start()
                        + "}}}"));
        Until.isTrue("it is renewed", () -> api.renewed() == 1);
    }
}
