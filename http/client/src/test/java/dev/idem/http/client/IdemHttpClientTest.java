package dev.idem.http.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.idem.Address;
import dev.idem.ConflictException;
import dev.idem.Entry;
import dev.idem.Idem;
import dev.idem.InDoubtException;
import dev.idem.Policy;
import dev.idem.Probe;
import dev.idem.ResultUnavailableException;
import dev.idem.State;
import dev.idem.agent.provider.Provider;
import dev.idem.agent.retry.Retry;
import dev.idem.http.BodyTooLargeException;
import dev.idem.http.HttpGuard;
import dev.idem.http.HttpRules;
import dev.idem.http.ReceivedRequest;
import dev.idem.http.Response;
import dev.idem.http.StoredResponse;
import dev.idem.spi.Host;
import dev.idem.spi.Ledger;
import dev.idem.spi.LedgerContext;
import dev.idem.spi.store.MemoryLedger;
import dev.idem.testkit.SettableClocks;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class IdemHttpClientTest {
    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static final Provider BANK = Provider.STRIPE;

    private final Idem idem = Idem.builder().ledger("memory:").quiet().open();
    private final RecordedTiming timing = new RecordedTiming();
    private final IdemHttpClient client = IdemHttpClient.of(idem, HTTP)
            .operation("charge")
            .scope("shop")
            .retry(Retry.standard().timing(timing).random(() -> 0));

    @AfterEach
    void close() {
        idem.close();
    }

    private static HttpRequest.Builder charge(Remote remote) {
        return HttpRequest.newBuilder(remote.uri()).POST(BodyPublishers.ofString(ClientCases.CHARGE));
    }

    private GuardedResponse<String> send(IdemHttpClient with, HttpRequest request, String key) throws Exception {
        return with.send(request, BodyHandlers.ofString(), key);
    }

    private Entry entry(String key) {
        return idem.find(new Address("shop", "charge", key)).orElseThrow();
    }

    @Test
    void fiftyCallersWithOneKeySendOneRequest() throws Exception {
        int callers = 50;
        CountDownLatch gate = new CountDownLatch(1);
        ExecutorService threads = Executors.newFixedThreadPool(callers);
        try (Remote remote = new Remote(false)) {
            Callable<GuardedResponse<String>> call = () -> {
                gate.await();
                return send(client, charge(remote).build(), "order-7");
            };
            List<Future<GuardedResponse<String>>> sent =
                    Stream.generate(() -> threads.submit(call)).limit(callers).toList();
            gate.countDown();
            int replays = 0;
            for (Future<GuardedResponse<String>> one : sent) {
                assertThat(one.get().statusCode()).isEqualTo(201);
                assertThat(one.get().body()).isEqualTo("{\"id\":\"ch_1\"}");
                replays += one.get().replayed() ? 1 : 0;
            }

            assertThat(remote.seen).hasSize(1);
            assertThat(remote.effects).hasValue(1);
            assertThat(replays).isEqualTo(callers - 1);
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void aReplayHasTheStoredHeadersAndNoSecrets() throws Exception {
        try (Remote remote = new Remote(false)) {
            GuardedResponse<String> first = send(client, charge(remote).build(), "order-7");
            GuardedResponse<String> replay = send(client, charge(remote).build(), "order-7");

            assertThat(first.replayed()).isFalse();
            assertThat(first.headers().map()).containsKey("Set-Cookie").doesNotContainKey(Answer.REPLAYED);
            assertThat(replay.replayed()).isTrue();
            assertThat(replay.headers().map()).doesNotContainKey("Set-Cookie");
            assertThat(replay.headers().firstValue("Location")).contains("/charges/ch_1");
            assertThat(replay.headers().firstValue(Answer.REPLAYED)).contains("true");
            assertThat(replay.provenance().orElseThrow().attempt()).isEqualTo(1);
            assertThat(entry("order-7").toString()).doesNotContain("secret").doesNotContain("expand=all");
        }
    }

    @Test
    void theReplayMarkOfTheRemoteIsPassedOn() throws Exception {
        try (Remote remote = new Remote(true, Remote.LOSES_THE_ANSWER)) {
            GuardedResponse<String> got =
                    send(client.provider(BANK), charge(remote).build(), "order-7");

            assertThat(got.headers().firstValue("Idempotent-Replayed")).contains("true");
            assertThat(got.replayed()).isFalse();
        }
    }

    @Test
    void safeRequestsPassWithoutAKeyAndWithoutARecord() throws Exception {
        try (Remote remote = new Remote(false)) {
            HttpRequest get = HttpRequest.newBuilder(remote.uri()).GET().build();
            client.send(get, BodyHandlers.ofString());
            GuardedResponse<String> got = client.send(get, BodyHandlers.ofString());

            assertThat(got.provenance()).isEmpty();
            assertThat(remote.seen).hasSize(2).extracting(Remote.Seen::key).containsOnly("");
        }
    }

    @Test
    void aRequestWithoutAKeyIsRefusedAndNotSent() throws Exception {
        try (Remote remote = new Remote(false)) {
            assertThatThrownBy(() -> client.send(charge(remote).build(), BodyHandlers.ofString()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("has no key")
                    .hasMessageContaining("Idempotency-Key")
                    .hasMessageContaining("deriveKeys()")
                    .hasMessageNotContaining("expand=all");
            assertThat(remote.seen).isEmpty();
        }
    }

    @Test
    void aKeyOfTheCallersHeaderIsSentAsItIs() throws Exception {
        try (Remote remote = new Remote(false)) {
            HttpRequest request =
                    charge(remote).header("Idempotency-Key", "\"order-7\"").build();
            client.send(request, BodyHandlers.ofString());

            assertThat(remote.seen.get(0).key()).isEqualTo("\"order-7\"");
            assertThat(entry("order-7").state()).isEqualTo(State.COMPLETE);
            assertThatThrownBy(() -> client.send(request, BodyHandlers.ofString(), "order-8"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("Leave one of them out");
        }
    }

    @Test
    void theKeyGoesWhereTheProviderWantsIt() throws Exception {
        try (Remote remote = new Remote(false)) {
            send(client.provider(Provider.PAYPAL), charge(remote).build(), "order-7");
            send(client.provider(Provider.SENDGRID), charge(remote).build(), "order-8");

            assertThat(remote.seen.get(0).headers())
                    .containsEntry("PayPal-Request-Id", Provider.PAYPAL.keyOf(new Address("shop", "charge", "order-7")))
                    .doesNotContainKey("Idempotency-Key");
            assertThat(remote.seen.get(1).headers()).doesNotContainKey("Idempotency-Key");
        }
    }

    @Test
    void aProviderWithItsKeyInTheBodyIsToldApart() throws Exception {
        IdemHttpClient square = client.provider(Provider.SQUARE);
        try (Remote remote = new Remote(false)) {
            assertThatThrownBy(() -> send(square, charge(remote).build(), "order-7"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("'idempotency_key' of the body");
            HttpRequest keyed = HttpRequest.newBuilder(remote.uri())
                    .POST(BodyPublishers.ofString("{\"idempotency_key\":\"order-7\"}"))
                    .build();

            assertThat(send(square, keyed, "order-7").statusCode()).isEqualTo(201);
            assertThat(remote.seen).hasSize(1);
        }
    }

    @Test
    void derivedKeysTellRequestsApartByTheirBody() throws Exception {
        IdemHttpClient deriving = client.deriveKeys();
        try (Remote remote = new Remote(false)) {
            deriving.send(charge(remote).build(), BodyHandlers.ofString());
            assertThat(deriving.send(charge(remote).build(), BodyHandlers.ofString())
                            .replayed())
                    .isTrue();
            HttpRequest other = HttpRequest.newBuilder(remote.uri())
                    .POST(BodyPublishers.ofString("{\"cents\":1}"))
                    .build();
            assertThat(deriving.send(other, BodyHandlers.ofString()).replayed()).isFalse();
            assertThat(remote.seen).hasSize(2);
        }
    }

    @Test
    void anotherBodyOrHostUnderTheSameKeyIsAConflict() throws Exception {
        try (Remote remote = new Remote(false);
                Remote other = new Remote(false)) {
            send(client, charge(remote).build(), "order-7");
            HttpRequest more = HttpRequest.newBuilder(remote.uri())
                    .POST(BodyPublishers.ofString("{\"cents\":1}"))
                    .build();

            assertThatThrownBy(() -> send(client, more, "order-7")).isInstanceOf(ConflictException.class);
            assertThatThrownBy(() -> send(client, charge(other).build(), "order-7"))
                    .isInstanceOf(ConflictException.class);
            assertThat(remote.effects.get() + other.effects.get()).isEqualTo(1);
        }
    }

    @Test
    void aRefusedConnectionLeavesNoDoubt() throws Exception {
        URI closed;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            closed = URI.create("http://127.0.0.1:" + free.getLocalPort());
        }
        HttpRequest request =
                HttpRequest.newBuilder(closed).POST(BodyPublishers.noBody()).build();

        assertThatThrownBy(() -> send(client, request, "order-7")).isInstanceOf(ConnectException.class);
        assertThat(entry("order-7").state()).isEqualTo(State.FAILED);
        assertThat(timing.slept).as("it was tried three times").hasSize(2);
    }

    @Test
    void anInterruptLeavesADoubt() throws Exception {
        CountDownLatch arrived = new CountDownLatch(1);
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        Remote.Step stalls = (remote, seen, socket) -> {
            remote.act(seen);
            arrived.countDown();
            Remote.STALLS.serve(remote, seen, socket);
        };
        try (Remote remote = new Remote(false, stalls)) {
            Thread caller = new Thread(() -> {
                try {
                    send(client, charge(remote).build(), "order-7");
                } catch (Exception e) {
                    thrown.set(e);
                }
            });
            caller.start();
            arrived.await();
            caller.interrupt();
            caller.join();

            assertThat(thrown.get()).isInstanceOf(InterruptedException.class);
            assertThat(thrown.get().getSuppressed()).anyMatch(InDoubtException.class::isInstance);
            assertThat(entry("order-7").state()).isEqualTo(State.IN_DOUBT);
            assertThatThrownBy(() -> send(client, charge(remote).build(), "order-7"))
                    .isInstanceOf(InDoubtException.class);
            assertThat(remote.seen).hasSize(1);
        }
    }

    /** The client gave up at the time limit, asked its probe at once, and sent the request a second time. */
    @Test
    void noProbeIsAskedWhileTheRemoteMayStillWorkOnALostRequest() throws Exception {
        SettableClocks clocks = new SettableClocks();
        Ledger ledger = new MemoryLedger(new LedgerContext(clocks, Host.system()));
        Remote.Step late = (remote, seen, socket) -> clocks.advance(Duration.ofSeconds(25));
        AtomicInteger asked = new AtomicInteger();
        try (Remote remote = new Remote(false, late);
                Idem stepped = Idem.builder().ledger(ledger).quiet().open()) {
            IdemHttpClient probing = IdemHttpClient.of(stepped, HTTP)
                    .policy(Policy.write().timeLimit(Duration.ofSeconds(30)))
                    .probe(doubted -> {
                        asked.incrementAndGet();
                        return Probe.Verdict.notExecuted();
                    });
            assertThatThrownBy(() -> send(probing, charge(remote).build(), "order-7"))
                    .isInstanceOf(IOException.class);
            clocks.advance(Duration.ofSeconds(10));
            assertThatThrownBy(() -> send(probing, charge(remote).build(), "order-7"))
                    .isInstanceOf(InDoubtException.class);
            assertThat(asked).hasValue(0);

            clocks.advance(Duration.ofSeconds(21));
            send(probing, charge(remote).build(), "order-7");
            assertThat(asked).hasValue(1);
            assertThat(remote.effects).hasValue(1);
        }
    }

    @Test
    void aProbeEndsADoubt() throws Exception {
        AtomicInteger asked = new AtomicInteger();
        IdemHttpClient probing = client.policy(
                        Policy.write().probeGrace(Duration.ZERO).timeLimit(Duration.ofMillis(1_000)))
                .probe(doubted -> {
                    asked.incrementAndGet();
                    return Probe.Verdict.happened(StoredResponse.text(200, "application/json", "{\"found\":true}"));
                });
        try (Remote remote = new Remote(false, Remote.LOSES_THE_ANSWER)) {
            assertThatThrownBy(() -> send(probing, charge(remote).build(), "order-7"))
                    .isInstanceOf(IOException.class);
            GuardedResponse<String> found = send(probing, charge(remote).build(), "order-7");

            assertThat(found.body()).isEqualTo("{\"found\":true}");
            assertThat(found.replayed()).isTrue();
            assertThat(asked).hasValue(1);
            assertThat(remote.effects).hasValue(1);
        }
    }

    @Test
    void aDoubtfulResponseReachesItsCallerWithTheDoubt() throws Exception {
        try (Remote remote = new Remote(false, Remote.refuses(503))) {
            GuardedResponse<String> got = send(client, charge(remote).build(), "order-7");

            assertThat(got.statusCode()).isEqualTo(503);
            assertThat(got.provenance()).isEmpty();
            assertThat(got.doubt()).get().isInstanceOf(InDoubtException.class);
            assertThat(got.toString()).isEqualTo("GuardedResponse[POST 503, in doubt]");
        }
    }

    /** The first request was executed. The login has ended before the second, which says nothing about the first. */
    @Test
    void aRefusalDoesNotReplaceTheDoubtOfAnEarlierAttempt() throws Exception {
        IdemHttpClient once = client.provider(BANK).retry(Retry.none());
        try (Remote remote = new Remote(true, Remote.LOSES_THE_ANSWER, Remote.refuses(401))) {
            assertThatThrownBy(() -> send(once, charge(remote).build(), "order-7"))
                    .isInstanceOf(IOException.class);
            GuardedResponse<String> refused = send(once, charge(remote).build(), "order-7");

            assertThat(refused.statusCode()).isEqualTo(401);
            assertThat(refused.doubt()).isPresent();
            assertThat(send(once, charge(remote).build(), "order-7").statusCode())
                    .isEqualTo(201);
            assertThat(remote.effects).hasValue(1);
        }
    }

    /** Alone, such a refusal is the result. After a doubt it tells nothing of the first request, which was executed. */
    @Test
    void norDoesARefusalThatWouldBeTheResultOfAFirstRequest() throws Exception {
        IdemHttpClient once = client.provider(BANK).retry(Retry.none());
        for (int status : List.of(400, 422)) {
            try (Remote remote = new Remote(true, Remote.LOSES_THE_ANSWER, Remote.refuses(status))) {
                String key = "order-" + status;
                assertThatThrownBy(() -> send(once, charge(remote).build(), key))
                        .isInstanceOf(IOException.class);
                GuardedResponse<String> refused = send(once, charge(remote).build(), key);

                assertThat(refused.statusCode()).isEqualTo(status);
                assertThat(refused.doubt()).isPresent();
                assertThat(entry(key).state()).isEqualTo(State.IN_DOUBT);
                assertThat(send(once, charge(remote).build(), key).statusCode()).isEqualTo(201);
                assertThat(remote.effects).hasValue(1);
            }
        }
    }

    @Test
    void aStagedRequestLeavesItsMarkBeforeItIsSent() throws Exception {
        try (Remote remote = new Remote(false, Remote.LOSES_THE_ANSWER)) {
            IdemHttpClient staged = client.policy(Policy.write().staged());
            assertThatThrownBy(() -> send(staged, charge(remote).build(), "order-7"))
                    .isInstanceOf(IOException.class);

            assertThat(entry("order-7").state()).isEqualTo(State.IN_DOUBT);
            assertThat(entry("order-7").tenure().lastMark().name()).isEqualTo("sending");
        }
    }

    @Test
    void aBodyThatCanBeReadOnlyOnceIsSentAgainWhole() throws Exception {
        InputStream once = new ByteArrayInputStream(ClientCases.CHARGE.getBytes(StandardCharsets.UTF_8));
        try (Remote remote = new Remote(true, Remote.RESETS)) {
            HttpRequest request = HttpRequest.newBuilder(remote.uri())
                    .POST(BodyPublishers.ofInputStream(() -> once))
                    .build();

            assertThat(send(client.provider(BANK), request, "order-7").statusCode())
                    .isEqualTo(201);
            assertThat(remote.seen).hasSize(2).extracting(Remote.Seen::body).containsOnly(ClientCases.CHARGE);
        }
    }

    @Test
    void aBodyOverTheLimitIsRefusedAndNotSent() throws Exception {
        IdemHttpClient small = client.rules(rules -> rules.largestBody(10));
        try (Remote remote = new Remote(false)) {
            HttpRequest unknownLength = HttpRequest.newBuilder(remote.uri())
                    .POST(BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(new byte[11])))
                    .build();

            assertThatThrownBy(() -> send(small, charge(remote).build(), "order-7"))
                    .isInstanceOf(BodyTooLargeException.class)
                    .hasMessageContaining("largestBody(...)");
            assertThatThrownBy(() -> send(small, unknownLength, "order-7")).isInstanceOf(BodyTooLargeException.class);
            assertThat(remote.seen).isEmpty();
            assertThat(idem.find(new Address("shop", "charge", "order-7"))).isEmpty();
        }
    }

    @Test
    void aLongResponseIsNotReplayedAndNotSentForAgain() throws Exception {
        IdemHttpClient small = client.rules(rules -> rules.largestStoredBody(5));
        try (Remote remote = new Remote(false)) {
            assertThat(send(small, charge(remote).build(), "order-7").body()).isEqualTo("{\"id\":\"ch_1\"}");
            assertThatThrownBy(() -> send(small, charge(remote).build(), "order-7"))
                    .isInstanceOf(ResultUnavailableException.class)
                    .hasMessageContaining("largestStoredBody");
            assertThat(remote.seen).hasSize(1);
        }
    }

    @Test
    void everyBodyHandlerReadsTheFirstResponseAndTheReplay() throws Exception {
        try (Remote remote = new Remote(false)) {
            for (int time = 1; time <= 2; time++) {
                HttpRequest request = charge(remote).build();
                String text = "{\"id\":\"ch_1\"}";
                assertThat(client.send(request, BodyHandlers.ofByteArray(), "a").body())
                        .asString(StandardCharsets.UTF_8)
                        .isEqualTo(text);
                try (InputStream in =
                        client.send(request, BodyHandlers.ofInputStream(), "b").body()) {
                    assertThat(in).hasContent(text);
                }
                assertThat(client.send(request, BodyHandlers.ofLines(), "c").body())
                        .containsExactly(text);
                client.send(request, BodyHandlers.ofPublisher(), "d");
                client.send(request, BodyHandlers.discarding(), "e");
            }
            assertThat(remote.seen).hasSize(5);
        }
    }

    @Test
    void aHandlerThatThrowsDoesNotLoseTheResponse() throws Exception {
        try (Remote remote = new Remote(false)) {
            assertThatThrownBy(() -> client.send(
                            charge(remote).build(),
                            info -> {
                                throw new IllegalStateException("a bug of the caller");
                            },
                            "order-7"))
                    .hasMessage("a bug of the caller");

            assertThat(send(client, charge(remote).build(), "order-7").replayed())
                    .isTrue();
            assertThat(remote.seen).hasSize(1);
        }
    }

    /** The JDK's client sends a GET again when a connection from its pool turns out to be closed. */
    @Test
    void aPostOnAPooledConnectionThatBreaksIsNotSentAgain() throws Exception {
        AtomicInteger connections = new AtomicInteger();
        try (Remote remote = new Remote(false, Remote.ANSWERS, Remote.LOSES_THE_ANSWER)) {
            remote.keepsAlive = true;
            remote.points = point -> {
                if (point.equals("connected")) {
                    connections.incrementAndGet();
                }
            };
            send(client, charge(remote).build(), "order-7");
            assertThatThrownBy(() -> send(client, charge(remote).build(), "order-8"))
                    .isInstanceOf(IOException.class);

            assertThat(connections).as("the second request used the pool").hasValue(1);
            assertThat(remote.seen).hasSize(2);
            assertThat(entry("order-8").state()).isEqualTo(State.IN_DOUBT);
        }
    }

    @Test
    void theSwitchThatSendsEveryRequestAgainIsSeen() {
        assertThat(List.of("", "true", "TRUE")).allMatch(IdemHttpClient::resends);
        assertThat(List.of("false", "no")).noneMatch(IdemHttpClient::resends);
        assertThat(IdemHttpClient.resends(null)).isFalse();
    }

    @Test
    void aClientThatSendsAgainByItselfIsRefused() {
        for (HttpClient.Redirect redirect : List.of(HttpClient.Redirect.ALWAYS, HttpClient.Redirect.NORMAL)) {
            HttpClient following =
                    HttpClient.newBuilder().followRedirects(redirect).build();
            assertThatThrownBy(() -> IdemHttpClient.of(idem, following))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("followRedirects(Redirect.NEVER)");
        }
    }

    @Test
    void aPolicyThatHttpHasNoAnswerForIsRefusedWhereItIsSet() {
        assertThatThrownBy(() -> client.policy(Policy.read())).isInstanceOf(IllegalArgumentException.class);
    }

    /** A remote that uses Idem itself: the answer of the first request is lost, and its guard replays it. */
    @Test
    void aServerWithIdemAnswersTheSecondTryFromItsLedger() throws Exception {
        AtomicInteger charges = new AtomicInteger();
        AtomicInteger requests = new AtomicInteger();
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        try (Idem remote = Idem.builder().ledger("memory:").quiet().open()) {
            HttpGuard guard = new HttpGuard(remote, HttpRules.ietf().principalRequired(false));
            server.createContext("/", exchange -> {
                byte[] body = exchange.getRequestBody().readAllBytes();
                Response response = guard.answer(
                        ReceivedRequest.of("POST", exchange.getRequestURI(), exchange.getRequestHeaders(), body),
                        () -> Response.of(201).body("text/plain", "charge " + charges.incrementAndGet()));
                if (requests.incrementAndGet() > 1) {
                    exchange.getResponseHeaders().putAll(response.headers());
                    exchange.sendResponseHeaders(response.status(), response.body().length);
                    exchange.getResponseBody().write(response.body());
                }
                exchange.close();
            });
            server.start();
            HttpRequest request = HttpRequest.newBuilder(
                            URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/charges"))
                    .POST(BodyPublishers.ofString("x"))
                    .build();
            GuardedResponse<String> got = send(client.provider(BANK), request, "order-7");

            assertThat(got.body()).isEqualTo("charge 1");
            assertThat(got.headers().firstValue("Idempotent-Replayed")).contains("true");
            assertThat(charges).hasValue(1);
            assertThat(requests).hasValue(2);
        } finally {
            server.stop(0);
        }
    }
}
