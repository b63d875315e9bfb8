package dev.idem.http.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.idem.Idem;
import dev.idem.Policy;
import dev.idem.http.HttpGuard;
import dev.idem.http.HttpRules;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Clients that come in crowds, and clients that leave at any stage. */
class ClientsTest {
    private static final int LONG = 3_000_000;

    private final Idem idem = Idem.builder().ledger("memory:").quiet().open();
    private final Handlers handlers = new Handlers();
    private final HttpClient client = HttpClient.newHttpClient();
    private final Semaphore arrived = new Semaphore(0);
    private Container container;

    private void start(Server server) throws Exception {
        HttpRules rules = HttpRules.ietf().policy(Policy.write().waitFor(Duration.ofMinutes(1)));
        IdemFilter filter = new IdemFilter(new HttpGuard(idem, rules))
                .errorPages()
                .route(request -> {
                    arrived.release();
                    return request.getRequestURI();
                });
        container = server.start(filter, handlers);
    }

    @AfterEach
    void close() {
        handlers.gate.countDown();
        container.close();
        idem.close();
    }

    private CompletableFuture<HttpResponse<byte[]>> post(String target, byte[] body) {
        return post(target, "application/octet-stream", body);
    }

    private CompletableFuture<HttpResponse<byte[]>> post(String target, String type, byte[] body) {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + container.port() + target))
                .header("Idempotency-Key", "k-1")
                .header("X-Caller", "ann")
                .header("Content-Type", type)
                .POST(BodyPublishers.ofByteArray(body))
                .build();
        return client.sendAsync(request, BodyHandlers.ofByteArray());
    }

    /** A client that sends a request of this length, but only the given bytes of it. */
    private Socket send(String target, String type, int length, byte[] body) throws IOException {
        Socket socket = new Socket("127.0.0.1", container.port());
        OutputStream out = socket.getOutputStream();
        out.write(("POST " + target + " HTTP/1.1\r\nHost: x\r\nX-Caller: ann\r\nIdempotency-Key: k-1\r\nContent-Type: "
                        + type + "\r\nContent-Length: " + length + "\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII));
        out.write(body);
        out.flush();
        return socket;
    }

    private static void assertNothingIsSpooled() throws Exception {
        long start = System.nanoTime();
        while (!spooled().isEmpty()) {
            if (System.nanoTime() - start > TimeUnit.SECONDS.toNanos(20)) {
                fail("left behind: " + spooled());
            }
            Thread.onSpinWait();
        }
    }

    private static List<Path> spooled() throws IOException {
        try (Stream<Path> files = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
            return files.filter(file -> file.getFileName().toString().startsWith("idem-body"))
                    .toList();
        }
    }

    @ParameterizedTest
    @MethodSource("dev.idem.http.servlet.Server#onClassPath")
    void ofTwoHundredAtOnceOneRunsAndTheOthersWaitOrAreToldSoAtOnce(Server server) throws Exception {
        start(server);
        int waiters = HttpRules.ietf().waiters();
        CountDownLatch refused = new CountDownLatch(200 - 1 - waiters);
        List<CompletableFuture<HttpResponse<byte[]>>> all = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            all.add(post("/slow", new byte[3]).whenComplete((response, thrown) -> refused.countDown()));
        }

        // The first one still runs.
        assertThat(refused.await(60, TimeUnit.SECONDS)).isTrue();
        assertThat(handlers.gate.getCount()).isOne();
        handlers.gate.countDown();

        int answers = 0;
        for (CompletableFuture<HttpResponse<byte[]>> each : all) {
            HttpResponse<byte[]> response = each.get();
            if (response.statusCode() == 200) {
                answers++;
                assertThat(response.body()).asString().isEqualTo("slow 1");
            } else {
                assertThat(response.statusCode()).isEqualTo(409);
                assertThat(response.body()).asString().contains("in-flight");
                assertThat(response.headers().firstValue("Retry-After")).hasValue("1");
            }
        }
        assertThat(answers).isBetween(1, 1 + waiters);
        assertThat(handlers.runs).hasValue(1);
    }

    @ParameterizedTest
    @MethodSource("dev.idem.http.servlet.Server#onClassPath")
    void aClientThatLeavesBeforeItSendsItsBodyRunsNothing(Server server) throws Exception {
        assertLeavingRunsNothing(server, 0);
    }

    @ParameterizedTest
    @MethodSource("dev.idem.http.servlet.Server#onClassPath")
    void aClientThatLeavesWhileItSendsItsBodyRunsNothing(Server server) throws Exception {
        assertLeavingRunsNothing(server, LONG / 2);
    }

    private void assertLeavingRunsNothing(Server server, int sent) throws Exception {
        start(server);
        try (Socket leaving = send("/size", "application/octet-stream", LONG, new byte[sent])) {
            leaving.shutdownOutput();
            // The server closes the connection when it has given up.
            leaving.getInputStream().readAllBytes();
        }

        HttpResponse<byte[]> retry = post("/size", new byte[LONG]).get();

        assertThat(retry.body()).asString().isEqualTo("1 " + LONG);
        assertThat(handlers.runs).hasValue(1);
        assertNothingIsSpooled();
    }

    @ParameterizedTest
    @MethodSource("dev.idem.http.servlet.Server#onClassPath")
    void aClientThatLeavesWhileItSendsItsPartsRunsNothing(Server server) throws Exception {
        start(server);
        String parts = "--b\r\nContent-Disposition: form-data; name=\"note\"\r\n\r\nhello\r\n--b\r\n"
                + "Content-Disposition: form-data; name=\"file\"; filename=\"a.bin\"\r\n\r\n"
                + "x".repeat(LONG) + "\r\n--b--\r\n";
        byte[] body = parts.getBytes(StandardCharsets.US_ASCII);
        try (Socket leaving = send("/parts", "multipart/form-data; boundary=b", body.length, half(body))) {
            leaving.shutdownOutput();
            // The server closes the connection when it has given up.
            leaving.getInputStream().readAllBytes();
        }

        HttpResponse<byte[]> retry =
                post("/parts", "multipart/form-data; boundary=b", body).get();

        assertThat(retry.body()).asString().isEqualTo("note=5;file=" + LONG + ";hello1");
        assertThat(handlers.runs).hasValue(1);
    }

    private static byte[] half(byte[] body) {
        return Arrays.copyOf(body, body.length / 2);
    }

    @ParameterizedTest
    @MethodSource("dev.idem.http.servlet.Server#onClassPath")
    void aClientThatLeavesWhileItWaitsTakesNothingFromItsRetry(Server server) throws Exception {
        start(server);
        byte[] body = new byte[LONG];
        CompletableFuture<HttpResponse<byte[]>> first = post("/slow", body);
        handlers.entered.await();
        arrived.drainPermits();
        try (Socket leaving = send("/slow", "application/octet-stream", LONG, body)) {
            arrived.acquire();
            leaving.shutdownOutput();
        }
        handlers.gate.countDown();

        assertThat(first.get().body()).asString().isEqualTo("slow 1");
        assertThat(post("/slow", body).get().body()).asString().isEqualTo("slow 1");
        assertThat(handlers.runs).hasValue(1);
        assertNothingIsSpooled();
    }

    @ParameterizedTest
    @MethodSource("dev.idem.http.servlet.Server#onClassPath")
    void aClientThatLeavesWhileItReceivesGetsTheAnswerWithItsRetry(Server server) throws Exception {
        start(server);
        byte[] body = new byte[LONG];
        try (Socket leaving = send("/download?1000000", "application/octet-stream", LONG, body)) {
            assertThat(leaving.getInputStream().readNBytes(100)).hasSize(100);
            leaving.setSoLinger(true, 0);
        }

        HttpResponse<byte[]> retry = post("/download?1000000", body).get();

        assertThat(retry.headers().firstValue("Idempotent-Replayed")).hasValue("true");
        assertThat(retry.body()).hasSize(1_000_000);
        assertThat(handlers.runs).hasValue(1);
        assertNothingIsSpooled();
    }

    @ParameterizedTest
    @MethodSource("dev.idem.http.servlet.Server#onClassPath")
    void aClientThatLeavesWhileItReceivesALongStreamRunsNothingTwice(Server server) throws Exception {
        start(server);
        byte[] body = new byte[LONG];
        try (Socket leaving = send("/download?100000000", "application/octet-stream", LONG, body)) {
            assertThat(leaving.getInputStream().readNBytes(100)).hasSize(100);
            leaving.setSoLinger(true, 0);
        }

        HttpResponse<byte[]> retry = post("/download?100000000", body).get();

        assertThat(retry.statusCode()).isEqualTo(409);
        assertThat(retry.body()).asString().containsAnyOf("in-doubt", "result-not-kept");
        assertThat(handlers.runs).hasValue(1);
        assertNothingIsSpooled();
    }

    @ParameterizedTest
    @MethodSource("dev.idem.http.servlet.Server#onClassPath")
    void theErrorPageOfARequestThatAnotherFilterRefusesIsNotGuarded(Server server) throws Exception {
        start(server);
        HttpRequest refused = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + container.port() + "/writer"))
                .header("Idempotency-Key", "k-1")
                .header("X-Caller", "mallory")
                .POST(BodyPublishers.noBody())
                .build();

        for (int i = 1; i <= 2; i++) {
            HttpResponse<String> response = client.send(refused, BodyHandlers.ofString());
            assertThat(response.statusCode()).isEqualTo(403);
            assertThat(response.body()).isEqualTo("{\"page\":" + i + "}");
        }
    }
}
