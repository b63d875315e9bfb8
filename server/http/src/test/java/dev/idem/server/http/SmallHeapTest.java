package dev.idem.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.testkit.ChildProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server with a heap that a crowd can fill. */
class SmallHeapTest {
    private static final int PATIENCE = 60_000;
    private static final int CROWD = 600;
    private static final int LARGE = 6_000_000;
    private static final int READERS = 20;
    private static final int MANY = 400_000;
    private static final String LARGE_RESULT = "{\"operation\":\"o\",\"key\":\"k\"}";
    private static final String SMALL_RESULT = "{\"operation\":\"o\",\"key\":\"small\"}";

    @TempDir
    Path folder;

    private final List<Socket> crowd = new ArrayList<>();
    private ChildProcess server;
    private int port;
    private String other = "";
    private String secret;

    private void start(String heap) throws IOException {
        server = ChildProcess.start(
                List.of(heap),
                SmallServer.class,
                folder.resolve("tokens.json").toString(),
                "sqlite:" + folder.resolve("idem.db"));
        String[] told = server.line().split(" ", -1);
        port = Integer.parseInt(told[0]);
        secret = told[1];
        other = told[2];
    }

    @AfterEach
    void end() throws IOException {
        for (Socket each : crowd) {
            each.close();
        }
        server.close();
    }

    private Socket connect() throws IOException {
        Socket socket = new Socket();
        socket.setSoTimeout(PATIENCE);
        socket.connect(new InetSocketAddress("127.0.0.1", port), PATIENCE);
        crowd.add(socket);
        return socket;
    }

    private static String ask(Socket socket, String token) throws IOException {
        return ask(socket, token, "hello", "{}");
    }

    private static void send(Socket socket, String token, String method, String body) throws IOException {
        socket.getOutputStream()
                .write(("POST /v1/" + method + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                                + "Content-Length: " + body.length() + "\r\nAuthorization: Bearer " + token + "\r\n\r\n"
                                + body)
                        .getBytes(StandardCharsets.UTF_8));
    }

    private static String ask(Socket socket, String token, String method, String body) throws IOException {
        send(socket, token, method, body);
        StringBuilder text = new StringBuilder();
        byte[] bytes = new byte[1 << 16];
        while (text.length() < 2 || text.indexOf("}\n", text.length() - 2) < 0) {
            int count = socket.getInputStream().read(bytes);
            if (count < 0) {
                throw new IOException("closed after: " + text);
            }
            text.append(new String(bytes, 0, count, StandardCharsets.UTF_8));
        }
        return text.toString();
    }

    /** Each connection kept 130 KB from its second request on, so that this crowd filled the heap. */
    @Test
    void aCrowdThatComesAgainLeavesRoom() throws IOException {
        start("-Xmx40m");
        for (int i = 0; i < CROWD; i++) {
            connect();
        }
        for (int again = 0; again < 3; again++) {
            for (Socket each : crowd) {
                try {
                    ask(each, "stranger");
                } catch (SocketTimeoutException e) {
                    throw e;
                } catch (IOException closed) {
                    // The server may close the connections of strangers.
                }
            }
        }
        assertThat(ask(connect(), secret)).startsWith("HTTP/1.1 200");
    }

    /** More than may be here without a token: theirs are closed, and nobody else's. */
    @Test
    void strangersCloseNobodysConnection() throws IOException {
        start("-Xmx40m");
        Socket known = connect();
        assertThat(ask(known, secret)).startsWith("HTTP/1.1 200");
        for (int i = 0; i < 3 * CROWD; i++) {
            connect();
        }
        assertThat(ask(known, secret)).startsWith("HTTP/1.1 200");
        assertThat(ask(connect(), secret)).startsWith("HTTP/1.1 200");
        Socket first = crowd.get(1);
        assertThatThrownBy(() -> ask(first, secret)).isInstanceOf(IOException.class);
    }

    /** A client that has all of its share gets no more, and nobody else has less for it. */
    @Test
    void aTokenWithManyRequestsClosesNobodysConnection() throws IOException {
        start("-Xmx24m");
        Socket known = connect();
        assertThat(ask(known, other)).startsWith("HTTP/1.1 200");
        for (int i = 0; i < 2 * CROWD; i++) {
            Socket begun = connect();
            assertThat(ask(begun, secret)).contains("HTTP/1.1 ");
            if (i > CROWD) {
                continue;
            }
            begun.getOutputStream()
                    .write(("POST /v1/hello HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                                    + "Content-Length: 1000\r\nAuthorization: Bearer " + secret + "\r\n\r\n")
                            .getBytes(StandardCharsets.UTF_8));
        }
        assertThat(ask(known, other)).startsWith("HTTP/1.1 200");
    }

    private String status(Socket socket) {
        try {
            return ask(socket, secret, "result", LARGE_RESULT).substring(0, 12);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void settle(String address, String result) throws IOException {
        String granted =
                ask(connect(), secret, "claim", address.replace("}", ",\"attempt_id\":\"" + "a".repeat(32) + "\"}"));
        String ticket = granted.replaceAll("(?s).*\"ticket\":\"([^\"]+)\".*", "$1");
        assertThat(ask(
                        connect(),
                        secret,
                        "settle",
                        "{\"ticket\":\"" + ticket + "\",\"as\":\"complete\",\"result\":\"" + result + "\"}"))
                .contains("recorded");
    }

    private void settleLarge() throws IOException {
        byte[] random = new byte[LARGE];
        new Random(1).nextBytes(random);
        settle(LARGE_RESULT, Base64.getEncoder().encodeToString(random));
    }

    /** Each name and each value is an object: a claim of 5 MB took so much memory that others got errors. */
    @Test
    void aTextOfManyValuesIsRefusedBeforeItFillsTheHeap() throws IOException {
        start("-Xmx64m");
        StringBuilder labels = new StringBuilder("\"first\":\"v\"");
        for (int i = 0; i < MANY; i++) {
            labels.append(",\"").append(i).append("\":\"v\"");
        }
        assertThat(ask(connect(), secret, "claim", "{\"operation\":\"o\",\"labels\":{" + labels + "}}"))
                .startsWith("HTTP/1.1 400")
                .contains("at most");
        assertThat(ask(connect(), other)).startsWith("HTTP/1.1 200");
    }

    /** One held the only turn while it waited for an answer of its own client to be read, and results of all others were refused. */
    @Test
    void readersThatDoNotReadHoldUpNobody() throws Exception {
        start("-Xmx100m");
        settleLarge();
        settle(SMALL_RESULT, "1");
        Socket slow = new Socket();
        crowd.add(slow);
        slow.setReceiveBufferSize(1 << 12);
        slow.connect(new InetSocketAddress("127.0.0.1", port), PATIENCE);
        send(slow, secret, "result", LARGE_RESULT);
        assertThat(slow.getInputStream().read()).isEqualTo('H');
        for (int i = 0; i < READERS; i++) {
            Socket socket = connect();
            new Thread(() -> readUntilClosed(socket)).start();
        }
        Socket reader = connect();
        for (int i = 0; i < READERS; i++) {
            assertThat(ask(reader, other, "result", SMALL_RESULT)).startsWith("HTTP/1.1 200");
        }
    }

    private void readUntilClosed(Socket socket) {
        try {
            while (true) {
                status(socket);
            }
        } catch (UncheckedIOException closed) {
            // The test has ended.
        }
    }

    /** Nearly all of them got an error, and so did everybody else meanwhile. */
    @Test
    void manyReadersOfALargeResultGetItOneAfterTheOther() throws Exception {
        start("-Xmx100m");
        settleLarge();
        ExecutorService readers = Executors.newFixedThreadPool(READERS);
        try {
            List<CompletableFuture<String>> answers = new ArrayList<>();
            for (int i = 0; i < READERS; i++) {
                Socket socket = connect();
                answers.add(CompletableFuture.supplyAsync(() -> status(socket), readers));
            }
            for (CompletableFuture<String> each : answers) {
                assertThat(each.join()).isIn("HTTP/1.1 200", "HTTP/1.1 429");
            }
            assertThat(answers).anyMatch(each -> each.join().endsWith("200"));
        } finally {
            readers.shutdownNow();
        }
        assertThat(ask(connect(), secret)).startsWith("HTTP/1.1 200");
    }
}
