package dev.idem.http.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Call;
import dev.idem.Idem;
import dev.idem.Operation;
import dev.idem.Outcome;
import dev.idem.Policy;
import dev.idem.Probe;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.http.HttpStatus;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.http.client.SimpleClientHttpRequestFactory;
import org.springframework.web.client.HttpServerErrorException;
import org.springframework.web.client.RestClient;
import org.springframework.web.server.ResponseStatusException;

/** The end of a request is seen in an answer only. Real clients, and a remote that is slow, breaks off or answers. */
class SeenEndTest {
    private static final Duration LIMIT = Duration.ofMillis(300);

    private final Idem idem = Idem.builder().ledger("memory:").quiet().open();
    private final AtomicInteger asked = new AtomicInteger();
    private final AtomicInteger runs = new AtomicInteger();

    @AfterEach
    void close() {
        idem.close();
    }

    private interface Sent {
        void to(URI remote, Call call) throws Exception;
    }

    @Test
    void anAnswerOfTheRemoteIsItsEnd() throws Exception {
        assertThat(isProbedEarly(Remote.refuses(500), (uri, call) -> rest(uri))).isTrue();
        assertThat(isProbedEarly(Remote.refuses(500), (uri, call) -> {
                    try {
                        rest(uri);
                    } catch (HttpServerErrorException e) {
                        throw new IllegalStateException("the shop is closed", e);
                    }
                }))
                .isTrue();
    }

    @Test
    void soIsWhatTheActionSays() throws Exception {
        assertThat(isProbedEarly(Remote.refuses(500), (uri, call) -> {
                    HttpClient.newHttpClient().send(charge(uri), BodyHandlers.ofString());
                    call.remoteEnded();
                    throw new IllegalStateException("no receipt");
                }))
                .isTrue();
    }

    @Test
    void aTimeOutOrALostConnectionIsNone() throws Exception {
        assertThat(isProbedEarly(Remote.STALLS, (uri, call) -> rest(uri))).isFalse();
        assertThat(isProbedEarly(Remote.STALLS, (uri, call) -> old(uri))).isFalse();
        assertThat(isProbedEarly(
                        Remote.STALLS,
                        (uri, call) -> HttpClient.newHttpClient().send(charge(uri), BodyHandlers.ofString())))
                .isFalse();
        assertThat(isProbedEarly(Remote.RESETS, (uri, call) -> rest(uri))).isFalse();
        assertThat(isProbedEarly(Remote.LOSES_THE_ANSWER, (uri, call) -> old(uri)))
                .isFalse();
    }

    @Test
    void noIsTheAnswerOfAGateway() throws Exception {
        for (int status : new int[] {502, 503, 504, 524}) {
            assertThat(isProbedEarly(Remote.refuses(status), (uri, call) -> rest(uri)))
                    .as("%s", status)
                    .isFalse();
        }
    }

    /** A handler's words about itself, after its own request timed out. */
    @Test
    void noIsAStatusThatNoRemoteHasSent() throws Exception {
        assertThat(isProbedEarly(Remote.STALLS, (uri, call) -> {
                    throw new ResponseStatusException(HttpStatus.INTERNAL_SERVER_ERROR, "the bank is slow");
                }))
                .isFalse();
    }

    /** Whether the next call asks the probe, although the time limit of the first one is not over. */
    private boolean isProbedEarly(Remote.Step step, Sent sent) throws Exception {
        asked.set(0);
        String key = "order-" + runs.incrementAndGet();
        try (Remote remote = new Remote(false, step)) {
            Outcome<String> first = charge(key).attempt(call -> {
                sent.to(remote.uri(), call);
                return "charged";
            });
            assertThat(first).isInstanceOf(Outcome.InDoubt.class);
        }
        Outcome<String> next = charge(key).attempt(call -> "charged twice");
        assertThat(next).isInstanceOf(asked.get() == 0 ? Outcome.InDoubt.class : Outcome.Replayed.class);
        return asked.get() == 1;
    }

    private Operation<String> charge(String key) {
        return idem.operation("charge")
                .key(key)
                .returning(String.class)
                .policy(Policy.write().probeGrace(Duration.ZERO).waitFor(Duration.ZERO))
                .probe(doubted -> {
                    asked.incrementAndGet();
                    return Probe.Verdict.happened("found");
                });
    }

    private static HttpRequest charge(URI remote) {
        return HttpRequest.newBuilder(remote)
                .timeout(LIMIT)
                .POST(BodyPublishers.ofString(ClientCases.CHARGE))
                .build();
    }

    private static void rest(URI remote) {
        var factory = new JdkClientHttpRequestFactory();
        factory.setReadTimeout(LIMIT);
        RestClient.create()
                .mutate()
                .requestFactory(factory)
                .build()
                .post()
                .uri(remote)
                .body(ClientCases.CHARGE)
                .retrieve()
                .toBodilessEntity();
    }

    private static void old(URI remote) {
        var factory = new SimpleClientHttpRequestFactory();
        factory.setReadTimeout((int) LIMIT.toMillis());
        RestClient.create()
                .mutate()
                .requestFactory(factory)
                .build()
                .post()
                .uri(remote)
                .body(ClientCases.CHARGE)
                .retrieve()
                .toBodilessEntity();
    }
}
