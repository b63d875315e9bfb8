package dev.idem.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Address;
import dev.idem.Entry;
import dev.idem.Json;
import dev.idem.http.suite.Received;
import dev.idem.http.suite.Sent;
import dev.idem.spi.ResolvedBy;
import java.net.SocketTimeoutException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** {@code /actuator/idem}: a doubt is listed, a person resolves it, and the client's retry gets the answer. */
class IdemEndpointTest {
    private static App app;

    @BeforeAll
    static void start() {
        app = App.start(ShopApplication.class, "idem.ledger=memory:", "management.endpoints.web.exposure.include=idem");
    }

    @AfterAll
    static void stop() {
        app.close();
    }

    private static Received resolve(String... namesAndValues) throws Exception {
        Map<String, String> body = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            body.put(namesAndValues[i], namesAndValues[i + 1]);
        }
        return app.send(Sent.post("/actuator/idem").by("ann").json(Json.write(body)));
    }

    private static Received doubted(String key) throws Exception {
        Received answer = app.send(Sent.post("/broken").key(key));
        assertThat(answer.status()).isEqualTo(500);
        return app.send(Sent.post("/broken").key(key));
    }

    private static String list(App on) throws Exception {
        Received answer = on.send(Sent.of("GET", "/actuator/idem"));
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        return answer.text();
    }

    @Test
    void aRequestInDoubtIsReplayedWithTheAnswerOfAPerson() throws Exception {
        assertThat(doubted("doubt").text()).contains("in-doubt");
        assertThat(list(app)).contains("\"key\":\"doubt\"", "\"cause\":", "\"since\":", "\"owner\":", "POST /broken");

        Received resolved = resolve(
                "scope", "http:ann",
                "operation", "POST /broken",
                "key", "doubt",
                "as", "complete",
                "status", "201",
                "result", "{\"order\":7}",
                "why", "the order is in the shop's list");

        assertThat(resolved.status()).as(resolved.text()).isEqualTo(200);
        Received replay = app.send(Sent.post("/broken").key("doubt"));
        assertThat(replay.status()).isEqualTo(201);
        assertThat(replay.text()).isEqualTo("{\"order\":7}");
        assertThat(replay.header("Content-Type")).isEqualTo("application/json");
        assertThat(replay.header("Idempotent-Replayed")).isEqualTo("true");
        Entry entry = app.idem()
                .find(new Address("http:ann", "POST /broken", "doubt"))
                .orElseThrow();
        assertThat(entry.note()).isEqualTo("resolved by ann: the order is in the shop's list");
        assertThat(entry.resolution()).isEqualTo(new ResolvedBy("ann", "the order is in the shop's list", null, "ann"));
        assertThat(list(app)).doesNotContain("\"key\":\"doubt\"");
    }

    @Test
    void aRequestThatDidNothingMayRunAgain() throws Exception {
        doubted("nothing");
        int before = app.bean(ShopApplication.class).runs.get();

        Received resolved = resolve(
                "scope", "http:ann", "operation", "POST /broken", "key", "nothing", "as", "failed", "why", "no order");

        assertThat(resolved.text()).contains("\"resolved\":\"failed\"");
        assertThat(app.send(Sent.post("/broken").key("nothing")).status()).isEqualTo(500);
        assertThat(app.bean(ShopApplication.class).runs).hasValue(before + 1);
    }

    @Test
    void anActionGetsTheValueOfAPersonInItsOwnType() throws Exception {
        record Receipt(String id, int cents) {}
        var charge = app.idem().operation("charge").key("c-1").returning(Receipt.class);
        charge.attempt(call -> {
            throw new SocketTimeoutException("card 4111-1111 secret");
        });
        assertThat(list(app)).contains("SocketTimeoutException").doesNotContain("4111-1111", "secret");

        Received resolved = resolve(
                "operation",
                "charge",
                "key",
                "c-1",
                "as",
                "complete",
                "result",
                "{\"id\":\"ch_1\",\"cents\":4200}",
                "by",
                "bob",
                "why",
                "seen in the bank statement");

        assertThat(resolved.status()).as(resolved.text()).isEqualTo(200);
        assertThat(charge.run(call -> new Receipt("again", 0))).isEqualTo(new Receipt("ch_1", 4200));
    }

    @Test
    void aRequestOfAnOperatorThatCanNotBeUnderstoodIs400AndSaysWhatToDo() throws Exception {
        doubted("bad");
        String[] at = {"scope", "http:ann", "operation", "POST /broken", "key", "bad", "why", "seen"};

        assertThat(refused(400, at)).contains("'as' has to be complete");
        assertThat(refused(400, at, "as", "done")).contains("'as' has to be complete");
        assertThat(refused(400, at, "as", "complete")).contains("'result' is missing");
        assertThat(refused(400, at, "as", "complete", "result", "{order:7}")).contains("'result' is not JSON text");
        assertThat(refused(400, at, "as", "complete", "result", "1", "status", "ok"))
                .contains("'status'");
        assertThat(refused(400, at, "as", "failed", "result", "1")).contains("go with");
        assertThat(refused(409, at, "as", "failed", "fence", "1")).contains("Look at it again");
        assertThat(refused(400, new String[] {"operation", "x", "key", "k"}, "as", "failed"))
                .contains("'why' is missing");
        assertThat(refused(400, new String[] {"key", "k"})).contains("'operation' is missing", "scope, operation, key");
        assertThat(refused(400, new String[] {"operation", "x", "key", "a b", "why", "w"}, "as", "failed"))
                .contains("visible ASCII");
        assertThat(refused(404, new String[] {"operation", "x", "key", "k", "why", "w"}, "as", "failed"))
                .contains("There is no entry", "No scope was sent");
        assertThat(app.send(Sent.post("/broken").key("bad")).text()).contains("in-doubt");
    }

    private static String refused(int status, String[] at, String... more) throws Exception {
        String[] all = Stream.concat(Arrays.stream(at), Arrays.stream(more)).toArray(String[]::new);
        Received answer = resolve(all);
        assertThat(answer.status()).as(answer.text()).isEqualTo(status);
        return answer.text();
    }

    @Test
    void aCompleteEntryIsLeftAlone() throws Exception {
        app.send(Sent.post("/orders").key("done").json("{\"item\":\"tea\"}"));

        assertThat(refused(
                        409,
                        new String[] {"scope", "http:ann", "operation", "POST /orders", "key", "done"},
                        "as",
                        "failed",
                        "why",
                        "w"))
                .contains("nothing to resolve");
    }

    @Test
    void handlersOutsideTheFilterAreListed() throws Exception {
        assertThat(list(app)).contains("\"unguarded\":[]");
        try (App some = App.start(
                ShopApplication.class,
                "idem.ledger=memory:",
                "idem.http.paths=/orders/*,/poor",
                "management.endpoints.web.exposure.include=idem")) {
            assertThat(list(some))
                    .contains("{\"methods\":[\"POST\"],\"pattern\":\"/slow\",\"handler\":\"ShopApplication.slow\"}")
                    .contains("\"methods\":[\"PUT\"],\"pattern\":\"/form\"")
                    .doesNotContain("/orders", "/poor", "BasicErrorController");
        }
        try (App none = App.start(
                ShopApplication.class,
                "idem.ledger=memory:",
                "idem.http.enabled=false",
                "management.endpoints.web.exposure.include=idem")) {
            assertThat(list(none)).contains("ShopApplication.order", "/orders/{id}");
        }
    }

    @Test
    void aPatternIsCoveredOnlyIfEachOfItsPathsIs() {
        assertThat(UnguardedHandlers.covers(List.of("/*"), "/orders/{id}")).isTrue();
        assertThat(UnguardedHandlers.covers(List.of("/orders/*"), "/orders")).isTrue();
        assertThat(UnguardedHandlers.covers(List.of("/orders/*"), "/ordersheet"))
                .isFalse();
        assertThat(UnguardedHandlers.covers(List.of("/orders/*"), "/{any}/7")).isFalse();
        assertThat(UnguardedHandlers.covers(List.of("*.do"), "/pay.do")).isTrue();
        assertThat(UnguardedHandlers.covers(List.of("/pay"), "/pay/{id}")).isFalse();
        assertThat(UnguardedHandlers.covers(List.of(), "/pay")).isTrue();
    }

    @Test
    void theEndpointIsAbsentUnlessItIsExposed() throws Exception {
        try (App app = App.start(ShopApplication.class, "idem.ledger=memory:")) {
            assertThat(app.context().getBeanNamesForType(IdemEndpoint.class)).isEmpty();
        }
    }
}
