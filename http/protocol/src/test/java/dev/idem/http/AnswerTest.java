package dev.idem.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.Address;
import dev.idem.Idem;
import dev.idem.NotExecutedException;
import dev.idem.State;
import dev.idem.http.suite.Sent;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A guard that answers in the thread of its server, and requests whose body is in memory. */
class AnswerTest {
    private final Idem idem = Idem.builder().ledger("memory:").quiet().open();
    private final HttpGuard guard = new HttpGuard(idem, HttpRules.ietf());
    private final AtomicInteger runs = new AtomicInteger();
    private final Supplier<Response> work =
            () -> Response.of(201).body("text/plain", "order " + runs.incrementAndGet());

    @AfterEach
    void close() {
        idem.close();
    }

    private static ReceivedRequest request(String... keys) {
        Map<String, List<String>> headers = keys.length == 0 ? Map.of() : Map.of("idempotency-key", List.of(keys));
        byte[] body = "{\"item\":\"tea\"}".getBytes(StandardCharsets.UTF_8);
        return ReceivedRequest.of("POST", URI.create("/orders/7?from=a%20shop"), headers, body)
                .principal("ann");
    }

    private static String text(Response response) {
        return new String(response.body(), StandardCharsets.UTF_8);
    }

    @Test
    void theSameRequestRunsOnce() throws Exception {
        Response first = guard.answer(request("k-1"), work);
        Response second = guard.answer(request("k-1"), work);

        assertThat(first.status()).isEqualTo(201);
        assertThat(text(second)).isEqualTo(text(first)).isEqualTo("order 1");
        assertThat(second.headers()).containsEntry("Idempotent-Replayed", List.of("true"));
    }

    private static ReceivedRequest at(String path) {
        return ReceivedRequest.of("POST", URI.create(path), Map.of("Idempotency-Key", List.of("k-1")), new byte[0])
                .principal("ann");
    }

    @Test
    void anotherSpellingOfAPathRunsNothingAgain() throws Exception {
        guard.answer(at("/orders/a;b"), work);

        assertThat(text(guard.answer(at("/%6Frders/%61;b"), work))).isEqualTo("order 1");
        assertThat(text(guard.answer(at("/orders/a%3bb"), work))).isEqualTo("order 1");
        assertThat(text(guard.answer(at("/orders/%C3%A9"), work))).isEqualTo("order 2");
        assertThat(text(guard.answer(at("/orders/%c3%a9"), work))).isEqualTo("order 2");
        assertThat(text(guard.answer(at("/orders/%2561"), work))).isEqualTo("order 3");
        assertThat(text(guard.answer(at("/orders/%FE"), work))).isEqualTo("order 4");
        assertThat(text(guard.answer(at("/orders/%FF"), work))).isEqualTo("order 5");
        assertThat(text(guard.answer(at("/orders/%25FE"), work))).isEqualTo("order 6");
    }

    @Test
    void aPathThatCouldBeReadInTwoWaysNeedsARouteOfItsOwn() throws Exception {
        for (String path : List.of("/orders%2F7", "/orders%5c7", "/orders%007")) {
            Response refused = guard.answer(at(path), work);

            assertThat(refused.status()).isEqualTo(400);
            assertThat(text(refused)).contains("urn:idem:problem:path-ambiguous");
        }
        assertThat(text(guard.answer(at("/a%2Fb").route("/{name}"), work))).isEqualTo("order 1");
        assertThat(text(guard.answer(at("/a/b").route("/{name}"), work))).contains("key-reused");
    }

    @Test
    void aRequestWithoutAKeyRunsEachTime() throws Exception {
        assertThat(text(guard.answer(request(), work))).isEqualTo("order 1");
        assertThat(text(guard.answer(request(), work))).isEqualTo("order 2");
    }

    @Test
    void aReceivedRequestShowsWhatWasSent() throws Exception {
        Request request = request("k-1");

        assertThat(request.path()).isEqualTo("/orders/7");
        assertThat(request.route()).isEqualTo("/orders/7");
        assertThat(request.query()).isEqualTo("from=a%20shop");
        assertThat(request.headers("IDEMPOTENCY-KEY")).containsExactly("k-1");
        assertThat(request.headers("Accept")).isEmpty();
        assertThat(request.open().readAllBytes()).isEqualTo(request.open().readAllBytes());
    }

    @Test
    void keysUnderTwoSpellingsOfTheHeaderAreTwoLines() throws Exception {
        Map<String, List<String>> headers =
                Map.of("Idempotency-Key", List.of("k-1"), "idempotency-key", List.of("k-2"));
        Request request = ReceivedRequest.of("POST", URI.create("/orders"), headers, new byte[0])
                .principal("ann");

        assertThat(request.headers("Idempotency-Key")).containsExactlyInAnyOrder("k-1", "k-2");
        assertThat(guard.answer(request, work).status()).isEqualTo(400);
        assertThat(runs).hasValue(0);
    }

    @Test
    void aRouteIsPartOfTheAddress() throws Exception {
        guard.answer(request("k-1").route("/orders/{id}"), work);

        assertThat(idem.find(new Address("http:ann", "POST /orders/{id}", "k-1")))
                .hasValueSatisfying(entry -> assertThat(entry.state()).isEqualTo(State.COMPLETE));
    }

    @Test
    void aRequestOfNobodyIsRefused() throws Exception {
        assertThat(guard.answer(request("k-1").principal(null), work).status()).isEqualTo(401);
        assertThat(runs).hasValue(0);
    }

    @Test
    void theWorksOwnExceptionIsThrown() throws Exception {
        RuntimeException own = new IllegalStateException("the shop is closed");

        assertThatThrownBy(() -> guard.answer(request("k-1"), () -> {
                    throw own;
                }))
                .isSameAs(own);
        assertThat(guard.answer(request("k-1"), work).status()).isEqualTo(409);
    }

    @Test
    void workThatDidNothingIsAProblemAndFreesItsKey() throws Exception {
        Response refused = guard.answer(request("k-1"), () -> {
            throw new NotExecutedException("the shop is closed");
        });

        assertThat(refused.status()).isEqualTo(503);
        assertThat(text(refused))
                .contains("not-executed", "nothing took effect")
                .doesNotContain("shop");
        assertThat(text(guard.answer(request("k-1"), work))).isEqualTo("order 1");
    }

    @Test
    void aBodyThatCanNotBeReadRunsNothing() {
        IOException lost = new IOException("the client is gone");
        Request request = new GuardSurface.Arrived(Sent.post("/orders").key("k-1"), () -> {
            throw lost;
        });

        assertThatThrownBy(() -> guard.answer(request, work)).isSameAs(lost);
        assertThat(runs).hasValue(0);
    }

    @Test
    void workThatStreamsIsToldToUseTheOtherMethod() {
        assertThatThrownBy(() -> guard.answer(request("k-1"), () -> Response.streamed(200)))
                .hasMessageContaining("call handle(...)");
    }
}
