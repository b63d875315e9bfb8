package dev.idem.http.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Address;
import dev.idem.Idem;
import dev.idem.Policy;
import dev.idem.State;
import dev.idem.http.HttpGuard;
import dev.idem.http.HttpRules;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Known defects of filters that record responses, in real containers. */
class FilterTest {
    private final Idem idem = Idem.builder().ledger("memory:").quiet().open();
    private final Handlers handlers = new Handlers();
    private final HttpClient client = HttpClient.newHttpClient();
    private Container container;

    @AfterEach
    void close() {
        handlers.gate.countDown();
        container.close();
        idem.close();
    }

    private void start(Server server) throws Exception {
        start(server, true);
    }

    private void start(Server server, boolean errorPages) throws Exception {
        HttpRules rules = HttpRules.ietf().policy(Policy.write().waitFor(Duration.ofSeconds(10)));
        IdemFilter filter = new IdemFilter(new HttpGuard(idem, rules));
        container = server.start(errorPages ? filter.errorPages() : filter, handlers);
    }

    private HttpRequest request(String target, String type, BodyPublisher body) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + container.port() + target))
                .header("Idempotency-Key", "\"k-1\"")
                .header("X-Caller", "ann")
                .header("Content-Type", type)
                .header("Accept-Encoding", "gzip")
                .header("Range", "bytes=0-1")
                .header("If-None-Match", "\"1\"")
                .POST(body)
                .build();
    }

    private HttpResponse<byte[]> post(String target) throws Exception {
        return post(target, "text/plain", BodyPublishers.ofString("tea"));
    }

    private HttpResponse<byte[]> post(String target, String type, BodyPublisher body) throws Exception {
        return client.send(request(target, type, body), BodyHandlers.ofByteArray());
    }

    private State state(String path) {
        return idem.find(new Address("http:ann", "POST " + path, "k-1"))
                .orElseThrow()
                .state();
    }

    private void assertReplayed(HttpResponse<byte[]> first, HttpResponse<byte[]> second) {
        assertThat(second.statusCode()).isEqualTo(first.statusCode());
        assertThat(second.body()).asString().isEqualTo(new String(first.body(), StandardCharsets.UTF_8));
        assertThat(second.headers().firstValue("Content-Type"))
                .isEqualTo(first.headers().firstValue("Content-Type"));
        assertThat(first.headers().firstValue("Idempotent-Replayed")).isEmpty();
        assertThat(second.headers().firstValue("Idempotent-Replayed")).hasValue("true");
        assertThat(handlers.runs).hasValue(1);
    }

    static Stream<Object[]> answers() {
        record Answer(String target, int status, String body) {}
        return Server.onClassPath()
                .flatMap(server -> Stream.of(
                                new Answer("/writer", 200, "grün 1"),
                                new Answer("/send-error", 402, "{\"page\":1}"),
                                new Answer("/nothing", 204, ""),
                                new Answer("/redirect", 302, ""),
                                new Answer("/reset", 201, "right 1"),
                                new Answer("/headers", 200, "1 nullnullnullfalse"),
                                new Answer("/size", 200, "1 3"),
                                new Answer("/async", 200, "async 1"),
                                new Answer("/dispatch", 200, "dispatched 1"),
                                new Answer("/dispatch-error", 402, "{\"page\":1}"))
                        .map(answer -> new Object[] {server, answer.target, answer.status, answer.body}));
    }

    @ParameterizedTest
    @MethodSource("answers")
    void firstAndReplayedBytesAreEqual(Server server, String target, int status, String body) throws Exception {
        start(server);

        HttpResponse<byte[]> first = post(target);
        HttpResponse<byte[]> second = post(target);

        assertThat(first.statusCode()).isEqualTo(status);
        assertThat(first.body()).asString(StandardCharsets.UTF_8).isEqualTo(body);
        assertReplayed(first, second);
        assertThat(state(target)).isEqualTo(State.COMPLETE);
    }

    @ParameterizedTest
    @MethodSource("dev.idem.http.servlet.Server#onClassPath")
    void anErrorWithoutPagesIsRecordedWithItsMessage(Server server) throws Exception {
        start(server, false);

        HttpResponse<byte[]> first = post("/send-error");

        assertThat(first.statusCode()).isEqualTo(402);
        assertThat(first.body()).asString().isEqualTo("no money 1");
        assertReplayed(first, post("/send-error"));
    }

    @ParameterizedTest
    @MethodSource("dev.idem.http.servlet.Server#onClassPath")
    void aRedirectKeepsItsLocation(Server server) throws Exception {
        start(server);
        post("/redirect");

        assertThat(post("/redirect").headers().firstValue("Location"))
                .hasValueSatisfying(location -> assertThat(location).endsWith("/orders/1"));
    }

    @ParameterizedTest
    @MethodSource("dev.idem.http.servlet.Server#onClassPath")
    void aFormIsReadByTheGuardAndByTheHandler(Server server) throws Exception {
        start(server);
        String type = "application/x-www-form-urlencoded";

        HttpResponse<byte[]> first =
                post("/form?from=shop", type, BodyPublishers.ofString("item=green+tea&item=caf%C3%A9"));
        HttpResponse<byte[]> second =
                post("/form?from=shop", type, BodyPublishers.ofString("item=green+tea&item=caf%C3%A9"));
        HttpResponse<byte[]> other = post("/form?from=shop", type, BodyPublishers.ofString("item=coffee"));

        assertThat(first.body()).asString().startsWith("green tea,caf").endsWith("shop1");
        assertReplayed(first, second);
        assertThat(other.statusCode()).isEqualTo(422);
    }

    @ParameterizedTest
    @MethodSource("dev.idem.http.servlet.Server#onClassPath")
    void aFormThatAnEarlierFilterHasReadIsStillCompared(Server server) throws Exception {
        start(server);

        HttpResponse<byte[]> first = postReadForm("item=green+tea&item=caf%C3%A9");
        HttpResponse<byte[]> second = postReadForm("item=green+tea&item=caf%C3%A9");
        HttpResponse<byte[]> other = postReadForm("item=coffee");

        assertThat(first.body()).asString().startsWith("green tea,caf").endsWith("shop1");
        assertReplayed(first, second);
        assertThat(other.statusCode()).isEqualTo(422);
    }

    private HttpResponse<byte[]> postReadForm(String form) throws Exception {
        String type = "application/x-www-form-urlencoded";
        HttpRequest request = request("/form?from=shop", type, BodyPublishers.ofString(form));
        return client.send(
                HttpRequest.newBuilder(request, (name, value) -> true)
                        .header("X-Checks-Token", "yes")
                        .build(),
                BodyHandlers.ofByteArray());
    }

    @ParameterizedTest
    @MethodSource("dev.idem.http.servlet.Server#onClassPath")
    void aHandlerCanReadTheBytesOfAForm(Server server) throws Exception {
        start(server);

        HttpResponse<byte[]> first =
                post("/form-bytes", "application/x-www-form-urlencoded", BodyPublishers.ofString("a=1&b=2"));

        assertThat(first.body()).asString().isEqualTo("a=1&b=2\u0001");
    }

    private static BodyPublisher parts(String boundary, String note, int size) {
        return BodyPublishers.ofString(
                "--" + boundary + "\r\nContent-Disposition: form-data; name=\"note\"\r\n\r\n" + note
                        + "\r\n--" + boundary
                        + "\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.bin\"\r\n\r\n"
                        + "x".repeat(size) + "\r\n--" + boundary + "--\r\n");
    }

    @ParameterizedTest
    @MethodSource("dev.idem.http.servlet.Server#onClassPath")
    void aRetriedUploadHasAnotherBoundaryAndIsTheSame(Server server) throws Exception {
        start(server);

        HttpResponse<byte[]> first = post("/parts", "multipart/form-data; boundary=one", parts("one", "hello", 10_000));
        HttpResponse<byte[]> second =
                post("/parts", "multipart/form-data; boundary=\"two\"", parts("two", "hello", 10_000));
        HttpResponse<byte[]> other = post("/parts", "multipart/form-data; boundary=one", parts("one", "bye", 10_000));

        assertThat(first.body()).asString().isEqualTo("note=5;file=10000;hello1");
        assertReplayed(first, second);
        assertThat(other.statusCode()).isEqualTo(422);
    }

    @ParameterizedTest
    @MethodSource("dev.idem.http.servlet.Server#onClassPath")
    void anUploadOverTheLimitOfItsServletRunsNothingAndLeavesNoDoubt(Server server) throws Exception {
        start(server);
        String type = "multipart/form-data; boundary=one";
        int tooLong = (int) Container.LARGEST_PART + 1;

        // The server may close the connection while the client still sends.
        HttpRequest upload = request("/parts", type, parts("one", "hello", tooLong));
        int status = HttpClient.newHttpClient()
                .sendAsync(upload, BodyHandlers.discarding())
                .handle((response, closed) -> response == null ? 413 : response.statusCode())
                .get();

        assertThat(status).isEqualTo(413);
        assertThat(handlers.runs).hasValue(0);
        assertThat(post("/parts", type, parts("one", "hello", 10)).statusCode()).isEqualTo(200);
    }

    @ParameterizedTest
    @MethodSource("dev.idem.http.servlet.Server#onClassPath")
    void anUncaughtExceptionLeavesADoubtAndReachesTheContainer(Server server) throws Exception {
        start(server);

        assertThat(post("/broken").statusCode()).isEqualTo(500);
        assertThat(state("/broken")).isEqualTo(State.IN_DOUBT);
        assertThat(post("/broken").statusCode()).isEqualTo(409);
        assertThat(handlers.runs).hasValue(1);
    }

    @ParameterizedTest
    @MethodSource("dev.idem.http.servlet.Server#onClassPath")
    void aProblemKeepsTheHeadersOfEarlierFiltersAndNoneOfTheHandler(Server server) throws Exception {
        start(server);
        HttpRequest request = HttpRequest.newBuilder(
                        request("/zipped", "text/plain", BodyPublishers.ofString("tea")), (name, value) -> true)
                .header("X-Trace", "yes")
                .build();

        HttpResponse<String> problem = client.send(request, BodyHandlers.ofString());

        assertThat(problem.statusCode()).isEqualTo(503);
        assertThat(problem.body()).contains("urn:idem:problem:not-executed").endsWith("}");
        assertThat(problem.headers().allValues("Content-Type")).containsExactly("application/problem+json");
        assertThat(problem.headers().firstValue("Content-Encoding")).isEmpty();
        assertThat(problem.headers().allValues("X-Trace")).containsExactly("1", "2");
        assertThat(problem.headers().allValues("Set-Cookie")).containsExactly("login=1");
    }

    /** Tomcat told it as an error of the server, and Jetty as a page in HTML. */
    @ParameterizedTest
    @MethodSource("dev.idem.http.servlet.Server#onClassPath")
    void aDamagedUploadIsToldAsDamaged(Server server) throws Exception {
        start(server);
        String cut = "--one\r\nContent-Disposition: form-data; name=\"note\"\r\n\r\nhel";

        HttpResponse<byte[]> refused =
                post("/parts", "multipart/form-data; boundary=one", BodyPublishers.ofString(cut));

        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(refused.body()).asString().contains("urn:idem:problem:body-damaged");
        assertThat(handlers.runs).hasValue(0);
    }

    @ParameterizedTest
    @MethodSource("dev.idem.http.servlet.Server#onClassPath")
    void aStepThatWasNotExecutedSaysNothingAboutTheHandler(Server server) throws Exception {
        start(server);

        assertThat(post("/half").statusCode()).isEqualTo(500);
        assertThat(state("/half")).isEqualTo(State.IN_DOUBT);
        assertThat(post("/half").statusCode()).isEqualTo(409);
        assertThat(handlers.runs).hasValue(1);
    }

    @ParameterizedTest
    @MethodSource("dev.idem.http.servlet.Server#onClassPath")
    void anErrorPageThatFailsLeavesADoubtAndNoFile(Server server) throws Exception {
        start(server);
        handlers.pagesFail = true;
        BodyPublisher upload = BodyPublishers.ofInputStream(() -> new Zeros(2_000_000));

        post("/send-error", "application/octet-stream", upload);

        assertThat(state("/send-error")).isEqualTo(State.IN_DOUBT);
        assertThat(post("/send-error", "application/octet-stream", upload).statusCode())
                .isEqualTo(409);
        assertThat(handlers.runs).hasValue(1);
        assertThat(spooled()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("dev.idem.http.servlet.Server#onClassPath")
    void asynchronousWorkThatNeverEndsLeavesADoubt(Server server) throws Exception {
        start(server);

        assertThat(post("/never").statusCode()).isEqualTo(500);
        HttpResponse<byte[]> second = post("/never");

        assertThat(second.statusCode()).isEqualTo(409);
        assertThat(second.body()).asString().contains("in-doubt");
        assertThat(handlers.runs).hasValue(1);
    }

    @ParameterizedTest
    @MethodSource("dev.idem.http.servlet.Server#onClassPath")
    void theResponseOfATimeOutListenerIsSentAndRecorded(Server server) throws Exception {
        start(server);
        for (String target : List.of("/late", "/late-with-response")) {
            handlers.runs.set(0);

            HttpResponse<byte[]> first = post(target);

            assertThat(first.statusCode()).isEqualTo(422);
            assertThat(first.body()).asString().isEqualTo("late 1");
            assertReplayed(first, post(target));
            assertThat(state(target)).isEqualTo(State.COMPLETE);
        }
    }

    @ParameterizedTest
    @MethodSource("dev.idem.http.servlet.Server#onClassPath")
    void eventsReachTheClientWhileTheHandlerRuns(Server server) throws Exception {
        start(server);

        HttpResponse<InputStream> first =
                client.send(request("/events", "text/plain", BodyPublishers.noBody()), BodyHandlers.ofInputStream());
        try (InputStream in = first.body()) {
            assertThat(new String(in.readNBytes(9), StandardCharsets.UTF_8)).isEqualTo("data: 1\n\n");
            handlers.gate.countDown();
            assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8)).isEqualTo("data: 2\n\n");
        }
        HttpResponse<byte[]> second = post("/events", "text/plain", BodyPublishers.noBody());

        assertThat(second.statusCode()).isEqualTo(409);
        assertThat(second.body()).asString().contains("result-not-kept");
    }

    @ParameterizedTest
    @MethodSource("dev.idem.http.servlet.Server#onClassPath")
    void aLongDownloadIsNotKept(Server server) throws Exception {
        start(server);

        HttpResponse<InputStream> first = client.send(
                request("/download?20000000", "text/plain", BodyPublishers.noBody()), BodyHandlers.ofInputStream());
        long size = 0;
        try (InputStream in = first.body()) {
            byte[] chunk = new byte[64 * 1024];
            for (int read = in.read(chunk); read >= 0; read = in.read(chunk)) {
                size += read;
            }
        }

        assertThat(size).isEqualTo(20_000_000);
        assertThat(post("/download?20000000", "text/plain", BodyPublishers.noBody())
                        .body())
                .asString()
                .contains("result-not-kept");
    }

    @ParameterizedTest
    @MethodSource("dev.idem.http.servlet.Server#onClassPath")
    void aLongUploadIsKeptInAPrivateFileAndDeleted(Server server) throws Exception {
        start(server);
        BodyPublisher upload = BodyPublishers.ofInputStream(() -> new Zeros(3_000_000));

        HttpResponse<byte[]> first = post("/size", "application/octet-stream", upload);

        assertThat(first.body()).asString().isEqualTo("1 3000000");
        assertReplayed(first, post("/size", "application/octet-stream", upload));
        assertThat(spooled()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("dev.idem.http.servlet.Server#onClassPath")
    void anUploadOverTheLimitIsRefused(Server server) throws Exception {
        start(server);

        HttpResponse<byte[]> refused =
                post("/size", "application/octet-stream", BodyPublishers.ofInputStream(() -> new Zeros(105_000_000)));

        assertThat(refused.statusCode()).isEqualTo(413);
        assertThat(handlers.runs).hasValue(0);
        assertThat(spooled()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("dev.idem.http.servlet.Server#onClassPath")
    void aClientThatLeavesDoesNotStopTheWork(Server server) throws Exception {
        start(server);
        try (Socket socket = new Socket("127.0.0.1", container.port())) {
            OutputStream out = socket.getOutputStream();
            out.write(("POST /slow HTTP/1.1\r\nHost: x\r\nX-Caller: ann\r\nIdempotency-Key: k-1\r\n"
                            + "Content-Type: text/plain\r\nContent-Length: 3\r\n\r\ntea")
                    .getBytes(StandardCharsets.US_ASCII));
            out.flush();
            handlers.entered.await();
        }
        CompletableFuture<HttpResponse<byte[]>> retry = client.sendAsync(
                request("/slow", "text/plain", BodyPublishers.ofString("tea")), BodyHandlers.ofByteArray());
        handlers.gate.countDown();

        assertThat(retry.get().body()).asString().isEqualTo("slow 1");
        assertThat(handlers.runs).hasValue(1);
    }

    @ParameterizedTest
    @MethodSource("dev.idem.http.servlet.Server#onClassPath")
    void fiftyAtOnceAreOneRunAndFiftyEqualAnswers(Server server) throws Exception {
        start(server);
        List<CompletableFuture<HttpResponse<byte[]>>> all = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            all.add(client.sendAsync(
                    request("/slow", "text/plain", BodyPublishers.ofString("tea")), BodyHandlers.ofByteArray()));
        }
        handlers.entered.await();
        handlers.gate.countDown();

        for (CompletableFuture<HttpResponse<byte[]>> each : all) {
            assertThat(each.get().body()).asString().isEqualTo("slow 1");
        }
        assertThat(handlers.runs).hasValue(1);
    }

    private static List<Path> spooled() throws IOException {
        try (Stream<Path> files = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
            return files.filter(file -> file.getFileName().toString().startsWith("idem-body"))
                    .toList();
        }
    }

    private static final class Zeros extends InputStream {
        private long left;

        Zeros(long size) {
            left = size;
        }

        @Override
        public int read() {
            return left-- > 0 ? 0 : -1;
        }

        @Override
        public int read(byte[] into, int from, int length) {
            if (left <= 0) {
                return -1;
            }
            int count = (int) Math.min(left, length);
            left -= count;
            return count;
        }
    }
}
