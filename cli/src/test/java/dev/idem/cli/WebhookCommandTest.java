package dev.idem.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.idem.cli.InProcess.Ran;
import dev.idem.cli.around.OutputStyle;
import dev.idem.cli.webhook.Signing;
import dev.idem.http.webhook.Sender;
import dev.idem.http.webhook.Signer;
import dev.idem.http.webhook.Verifier;
import dev.idem.http.webhook.WebhookRequest;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code idem webhook sign} and {@code send}, against an endpoint that verifies. */
class WebhookCommandTest {
    private final AtomicInteger received = new AtomicInteger();
    private final CountDownLatch release = new CountDownLatch(1);
    private final ExecutorService threads = Executors.newCachedThreadPool();

    @TempDir
    Path folder;

    private InProcess shell;
    private HttpServer server;
    private String base;

    @BeforeEach
    void open() throws IOException {
        shell = new InProcess(folder);
        Files.writeString(folder.resolve("paid.json"), "{\"id\":\"evt_1\",\"type\":\"paid\"}");
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
        server.setExecutor(threads);
        server.createContext("/", this::handle);
        server.start();
        base = "http://localhost:" + server.getAddress().getPort();
    }

    @AfterEach
    void close() {
        release.countDown();
        server.stop(0);
        threads.shutdownNow();
    }

    /** The path says how to answer: stripe verifies, a number is the status, stall waits, cut closes. */
    private void handle(HttpExchange exchange) throws IOException {
        byte[] body = exchange.getRequestBody().readAllBytes();
        received.incrementAndGet();
        String path = exchange.getRequestURI().getPath().substring(1);
        int status = path.matches("[0-9]+") ? Integer.parseInt(path) : 200;
        if (path.equals("stall")) {
            await(release);
        } else if (path.equals("cut")) {
            exchange.close();
            return;
        } else if (Sender.all().stream().anyMatch(sender -> sender.name().equals(path))) {
            status = verify(Sender.named(path), exchange, body);
        }
        byte[] answer = ("status " + status + "\u001b[31m").getBytes(UTF_8);
        exchange.sendResponseHeaders(status, answer.length);
        exchange.getResponseBody().write(answer);
        exchange.close();
    }

    private int verify(Sender sender, HttpExchange exchange, byte[] body) {
        String[] secrets = Signer.of(sender).endpointSecret().stream().toArray(String[]::new);
        WebhookRequest request = WebhookRequest.of(exchange.getRequestHeaders(), body)
                .at(base + exchange.getRequestURI().toString());
        return Verifier.of(sender, secrets)
                .verify(request)
                .match(accepted -> 200, refused -> refused.reason().status(), handshake -> 204);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private Ran send(String to, String... more) {
        return shell.idem(
                Stream.concat(Stream.of("webhook", "send", "stripe", "paid.json", "--to", base + to), Stream.of(more))
                        .toArray(String[]::new));
    }

    @Test
    void theTableNamesTheSendersOfTheLibrary() {
        assertThat(Signing.SENDERS)
                .isEqualTo(Sender.all().stream().map(Sender::name).toList());
    }

    @Test
    void theHeadersOfEverySenderAreAcceptedByAnEndpoint() throws IOException {
        Files.writeString(folder.resolve("list.json"), "[{\"sg_event_id\":\"1\"}]\r\n");
        Files.writeString(folder.resolve("form"), "From=%2B1&Body=hello");
        for (String sender : Signing.SENDERS) {
            for (String file : List.of("paid.json", "list.json", "form")) {
                Ran ran = shell.idem("webhook", "send", sender, file, "--to", base + "/" + sender + "?a=b");
                boolean unreadable = sender.equals("sendgrid") && !file.equals("list.json");
                assertThat(ran.out()).as(sender + " " + file + ran.err()).startsWith(unreadable ? "400" : "200");
            }
        }
    }

    @Test
    void theSignedHeadersAreLinesThatCurlReads() {
        shell.style = OutputStyle.plain();
        Ran ran = shell.idem("webhook", "sign", "github", "paid.json", "--id", "d-1", "--type", "push");
        assertThat(ran.exit()).isZero();
        assertThat(ran.out().lines().toList())
                .hasSize(4)
                .contains("X-GitHub-Delivery: d-1", "X-GitHub-Event: push")
                .last()
                .asString()
                .startsWith("X-Hub-Signature-256: sha256=");
        assertThat(ran.err()).contains("the endpoint needs the test secret " + Signer.TEST_SECRET);
    }

    @Test
    void programsGetTheHeadersTheEventsAndTheSecretOfTests() {
        shell.stdin = "[{\"sg_event_id\":\"1\",\"event\":\"open\"},{\"sg_event_id\":\"2\"}]".getBytes(UTF_8);
        Map<String, Object> data =
                shell.idem("webhook", "sign", "sendgrid", "-", "--json").data();
        assertThat((Map<?, ?>) data.get("headers")).hasSize(3);
        assertThat((List<?>) data.get("events")).hasSize(2).first().hasToString("{id=1, type=open}");
        assertThat(data.get("public_key"))
                .isEqualTo(Signer.of(Sender.SENDGRID).endpointSecret().orElseThrow());
    }

    @Test
    void aSecretComesFromAVariableOrAFileAndIsNeverShown() throws IOException {
        Files.writeString(folder.resolve("secret"), "hidden-1\n");
        shell.env.put("HOOK", "hidden-1");
        for (String where : List.of("env:HOOK", "file:secret")) {
            Ran ran = shell.idem(
                    "webhook", "sign", "stripe", "paid.json", "--secret", where, "--at", "1700000000", "--json");
            assertThat(ran.out() + ran.err()).doesNotContain("hidden-1");
            String signature = String.valueOf(((Map<?, ?>) ran.data().get("headers")).get("Stripe-Signature"));
            assertThat(signature)
                    .isEqualTo(Signer.of(Sender.STRIPE, "hidden-1")
                            .at(Instant.ofEpochSecond(1700000000))
                            .sign("{\"id\":\"evt_1\",\"type\":\"paid\"}".getBytes(UTF_8))
                            .headers()
                            .get("Stripe-Signature"));
        }
        Ran bare = shell.idem("webhook", "sign", "stripe", "paid.json", "--secret", "hidden-1");
        assertThat(bare.exit()).isEqualTo(2);
        assertThat(bare.err()).contains("env:NAME or file:PATH").doesNotContain("hidden-1");
        assertThat(shell.idem("webhook", "sign", "stripe", "paid.json", "--secret", "env:NO_SUCH")
                        .err())
                .contains("not set");
    }

    @Test
    void aLineThatMakesNoSenseSignsNothing() {
        assertThat(usage("sign", "strpe", "paid.json")).contains("did you mean stripe", "cloudevents");
        assertThat(usage("sign", "github", "paid.json", "--at", "5m")).contains("leave out --at");
        assertThat(usage("sign", "stripe", "paid.json", "--url", "https://a")).contains("leave out --url");
        assertThat(usage("sign", "square", "paid.json")).contains("give it with --url");
        assertThat(usage("sign", "stripe", "paid.json", "--id", "x")).contains("the member id");
        assertThat(usage("sign", "stripe", ".")).contains("is a folder");
        assertThat(usage("sign", "stripe", "paid.json", "--at", "noon")).contains("is no time");
        assertThat(usage("send", "stripe", "paid.json")).contains("--to");
        assertThat(usage("nonsense")).contains("idem webhook sign SENDER FILE", "idem webhook send SENDER FILE");
        assertThat(shell.idem("webhook", "sign", "stripe", "nowhere").exit()).isEqualTo(5);
    }

    private String usage(String... words) {
        Ran ran =
                shell.idem(Stream.concat(Stream.of("webhook"), Stream.of(words)).toArray(String[]::new));
        assertThat(ran.exit()).as(ran.err()).isEqualTo(2);
        return ran.err();
    }

    @Test
    void anOldTimeIsSignedAndRefusedByTheEndpoint() {
        assertThat(send("/stripe", "--at", "4m").exit()).isZero();
        Ran old = send("/stripe", "--at", "6m");
        assertThat(old.exit()).isEqualTo(1);
        assertThat(old.err()).contains("refused it with 401", Signer.TEST_SECRET);
        assertThat(send("/stripe", "--at", "2099-01-01T00:00Z").exit()).isEqualTo(1);
    }

    @Test
    void nothingIsSentToAnotherMachineUnlessAllowed() {
        for (String url : List.of("https://shop.example/x", "http://192.0.2.1/", "http://0.0.0.0:1/")) {
            assertThat(usage("send", "stripe", "paid.json", "--to", url))
                    .contains("not this machine", "--allow-remote");
        }
        for (String url : List.of("ftp://localhost/", "localhost:80", "http://", "not a url", "http://localhost/#a")) {
            assertThat(usage("send", "stripe", "paid.json", "--to", url)).contains("not the URL of an endpoint");
        }
        assertThat(usage("send", "stripe", "paid.json", "--to", "http://ann:pass@localhost/"))
                .doesNotContain("pass@", "ann:");
        assertThat(shell.idem(
                                "webhook",
                                "send",
                                "stripe",
                                "paid.json",
                                "--allow-remote",
                                "--dry-run",
                                "--to",
                                "https://shop.example/x")
                        .exit())
                .isZero();
        assertThat(send("/stripe", "--dry-run").out()).startsWith("would post 28 bytes");
        assertThat(received).hasValue(0);
    }

    @Test
    void theExitSaysHowItEnded() {
        assertThat(send("/200").exit()).isZero();
        assertThat(send("/302").exit()).isEqualTo(1);
        assertThat(send("/404").exit()).isEqualTo(1);
        assertThat(send("/503").exit()).isEqualTo(3);
        assertThat(send("/cut").exit()).isEqualTo(3);
        assertThat(send("/stall", "--timeout", "1s").exit()).isEqualTo(10);
        server.stop(0);
        Ran none = send("/200", "--json");
        assertThat(none.exit()).isEqualTo(12);
        assertThat(none.error()).containsEntry("code", "UNREACHABLE").containsEntry("retryable", true);
        assertThat(none.data()).containsEntry("effect", "noop");
    }

    @Test
    void anAnswerCantPaintOnTheTerminal() {
        assertThat(send("/200").out()).isEqualTo("200  status 200\\u001b[31m\n");
    }

    @Test
    void theSameDeliveryIsSentSeveralTimesAlsoAtOnce() {
        assertThat(send("/stripe", "--times", "3").out()).startsWith("3 × 200");
        assertThat(send("/stripe", "--times", "20", "--parallel").out()).startsWith("20 × 200");
        assertThat(received).hasValue(23);
        assertThat(send("/200", "--times", "0").exit()).isEqualTo(2);
    }

    @Test
    void aSignalEndsTheWaitForAnAnswer() {
        Thread interrupter = new Thread(() -> {
            while (received.get() == 0) {
                Thread.onSpinWait();
            }
            shell.signals.receive("INT", 2);
        });
        interrupter.start();
        Ran ran = send("/stall", "--times", "5", "--json");
        assertThat(ran.exit()).isEqualTo(130);
        assertThat(ran.data()).containsEntry("effect", "created");
        assertThat(received).hasValue(1);
    }

    /** A key whose delivery had no answer was free again, although the endpoint may have handled it. */
    @Test
    void aKeyStaysInDoubtWhereTheEndpointGaveNoAnswer() {
        assertThat(send("/stripe", "--idempotency-key", "a").exit()).isZero();
        assertThat(send("/stripe", "--idempotency-key", "a", "--json").meta()).containsEntry("idempotency_hit", true);
        String[] slow = {"--timeout", "2s", "--idempotency-key", "b"};
        assertThat(send("/stall", slow).exit()).isEqualTo(10);
        assertThat(send("/stall", slow).exit()).isEqualTo(3);
        assertThat(received).hasValue(2);
    }

    @Test
    void theHelpOfBothIsShownTogether() {
        assertThat(shell.idem("help", "webhook").out())
                .contains("idem webhook sign:", "idem webhook send:")
                .isEqualTo(shell.idem("webhook", "--help").out());
        assertThat(shell.idem("help", "webhook", "send").out())
                .startsWith("idem webhook send:")
                .isEqualTo(shell.idem("webhook", "send", "--help").out());
        assertThat(shell.idem("webhook", "--json", "sign", "github", "paid.json")
                        .data())
                .containsKey("headers");
        shell.style = OutputStyle.plain();
        assertThat(shell.idem("webhook").error()).containsEntry("fix_command", "idem help webhook");
        assertThat(shell.idem("manifest").out()).contains("\"webhook.sign\"", "\"webhook.send\"");
    }

    @Test
    void whatAnEndpointCantReadIsToldBeforehand() throws IOException {
        Files.writeString(folder.resolve("empty"), "");
        assertThat(shell.idem("webhook", "sign", "sendgrid", "paid.json").err()).contains("not a JSON array");
        assertThat(shell.idem("webhook", "sign", "stripe", "empty").err()).contains("the body is empty", "no event id");
        assertThat(shell.idem("webhook", "sign", "stripe", "paid.json").err()).doesNotContain("warning");
    }
}
