package dev.idem.mcp;

import static dev.idem.mcp.TestHost.call;
import static dev.idem.mcp.TestHost.status;
import static dev.idem.mcp.TestHost.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.mcp.guard.Message;
import dev.idem.spi.browse.Browsable;
import dev.idem.spi.browse.Query;
import dev.idem.testkit.Until;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The endings of a call over HTTP: once, in doubt, refused, or told apart from that of another user. */
class HttpProxyTest extends HttpCase {
    @Test
    void aRepeatedCallGetsTheFirstResult() throws Exception {
        Message first = ask(1, "pay", ANN);
        Message second = ask(2, "pay", ANN);

        assertThat(first.id()).isEqualTo("1");
        assertThat(second.id()).isEqualTo("2");
        assertThat(text(second)).isEqualTo(text(first)).isEqualTo("pay done");
        assertThat(status(second)).isEqualTo("replayed");
        assertThat(server.effects).containsExactly("pay");
        assertThat(server.bodies).noneMatch(body -> body.contains("\"id\":1"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"die", "cut", "broken", "seeOther", "moved", "badAfterAll"})
    void aLostAnswerLeavesADoubtAndRunsOnce(String fault) throws Exception {
        for (int i = 1; i <= 2; i++) {
            try {
                post(server.uri(), call(i, fault, ANN));
            } catch (IOException e) {
                // The server cut the connection, and a host would try again.
                continue;
            }
        }
        assertThat(server.effects).as("without a guard").hasSize(2);
        server.effects.clear();

        ask(1, fault, ANN);
        Message second = ask(2, fault, ANN);

        assertThat(text(second)).contains("unknown whether", "Do not call it again");
        assertThat(second.result("isError")).isEqualTo(true);
        assertThat(server.effects).hasSize(1);
    }

    /** A refusal of a gateway names no call. Only 400 was judged by the answer of the server in it. */
    @ParameterizedTest
    @CsvSource({
        "201, -32603, in_doubt",
        "404, -32603, in_doubt",
        "404, -32601, in_doubt",
        "429, -32000, in_doubt",
        "500, -32602, in_doubt",
        "500, -32600, in_doubt",
        "500, -32603, in_doubt",
        "503, -32022, in_doubt",
        "500, 0, replayed",
        "202, 0, replayed",
        "404, 0, replayed"
    })
    void anAnswerUnderTheIdOfTheCallIsJudgedByItsCodeWithAnyStatus(int status, int code, String second)
            throws Exception {
        for (String stream : List.of("", ",\"stream\":true")) {
            server.effects.clear();
            String arguments = "{\"status\":" + status + ",\"code\":" + code + stream + "}";
            HttpResponse<String> first = post(guarded, call(7, "answer", arguments));
            Message again = ask(8, "answer", arguments);

            assertThat(last(first).id()).isEqualTo("7");
            assertThat(last(first).isError()).isEqualTo(code != 0);
            assertThat(status(again)).isEqualTo(second);
            assertThat(server.effects).hasSize(1);
        }
    }

    /** The server may have other tools for other users, sessions and settings in headers. */
    @Test
    void onlyTheListThatThisHostWasShownProvesThatAToolIsNotThere() throws Exception {
        String arguments = "{\"status\":200,\"code\":-32601}";
        String list = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\",\"params\":{}}";
        post(guarded, list, "X-Toolset", "few");
        for (int id = 2; id <= 3; id++) {
            assertThat(ask(id, "answer", arguments, "X-Toolset", "few", "Idempotency-Key", "k")
                            .isError())
                    .isTrue();
        }
        assertThat(server.effects).hasSize(2);
        ask(4, "answer", arguments, "X-Toolset", "all");

        assertThat(status(ask(5, "answer", arguments, "X-Toolset", "all"))).isEqualTo("in_doubt");
        assertThat(server.effects).hasSize(3);
    }

    @Test
    void anAnswerThatComesTwiceIsOne() throws Exception {
        HttpResponse<String> first = post(guarded, call(1, "twice", ANN));

        assertThat(messages(first)).hasSize(1);
        assertThat(status(ask(2, "twice", ANN))).isEqualTo("replayed");
        assertThat(server.effects).hasSize(1);
    }

    @Test
    void aHostThatGoesAwayFindsTheResultLater() throws Exception {
        CompletableFuture<?> impatient = client.sendAsync(
                request(guarded)
                        .POST(BodyPublishers.ofString(call(1, "late", ANN)))
                        .build(),
                BodyHandlers.ofString());
        Until.isTrue("the call runs", () -> server.effects.contains("late"));
        impatient.cancel(true);
        CompletableFuture<Message> again = CompletableFuture.supplyAsync(() -> {
            try {
                return ask(2, "late", ANN);
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
        server.go.countDown();

        assertThat(text(again.get(60, TimeUnit.SECONDS))).isEqualTo("late done");
        assertThat(server.effects).hasSize(1);
    }

    @Test
    void aHundredCallsAtOnceAreOne() throws Exception {
        List<CompletableFuture<HttpResponse<String>>> calls = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            calls.add(client.sendAsync(
                    request(guarded)
                            .POST(BodyPublishers.ofString(call(i, "late", ANN)))
                            .build(),
                    BodyHandlers.ofString()));
        }
        Until.isTrue("the call runs", () -> server.effects.contains("late"));
        server.go.countDown();

        for (CompletableFuture<HttpResponse<String>> each : calls) {
            assertThat(text(last(each.get(60, TimeUnit.SECONDS)))).isEqualTo("late done");
        }
        assertThat(server.effects).hasSize(1);
    }

    @Test
    void aServerThatCanNotBeReachedRanNothing() throws Exception {
        server.close();

        Message answer = ask(1, "pay", ANN);
        assertThat(answer.result("isError")).isEqualTo(true);
        assertThat(text(answer)).contains("can't be reached");

        server = new HttpFixture();
        guardWith(McpOptions.of("fixture"));
        assertThat(text(ask(2, "pay", ANN))).isEqualTo("pay done");
    }

    @Test
    void aRefusalOfTheServerReachesTheHostUnchanged() throws Exception {
        HttpResponse<String> refused = post(guarded, call(1, "closed", ANN));
        HttpResponse<String> expired = post(guarded, call(2, "expired", ANN));

        assertThat(refused.statusCode()).isEqualTo(401);
        assertThat(refused.headers().firstValue("www-authenticate")).contains("Bearer realm=\"mail\"");
        assertThat(refused.body()).isEqualTo("{\"error\":\"who are you\"}");
        assertThat(expired.statusCode()).isEqualTo(404);
        assertThat(last(expired).id()).isEqualTo("2");
        // Nothing ran, so the next call is made.
        assertThat(post(guarded, call(3, "closed", ANN)).statusCode()).isEqualTo(401);
    }

    @Test
    void aRedirectDoesNotLeadPastTheGuard() throws Exception {
        HttpResponse<String> moved = post(guarded, call(1, "moved", ANN));

        assertThat(moved.statusCode()).isEqualTo(200);
        assertThat(text(last(moved))).contains("https://elsewhere.example/mcp");
        HttpResponse<String> passed = post(guarded, "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"moved\"}");
        assertThat(passed.statusCode()).isEqualTo(502);
        assertThat(passed.headers().firstValue("location")).isEmpty();
        assertThat(passed.body()).contains("https://elsewhere.example/mcp");
    }

    @Test
    void anotherCredentialGetsNoReplay() throws Exception {
        ask(1, "pay", ANN, "Authorization", "Bearer ann");
        ask(2, "pay", ANN, "Authorization", "Bearer bob");
        ask(3, "pay", ANN, "X-Api-Key", "eve");
        Message again = ask(4, "pay", ANN, "Authorization", "Bearer ann");

        assertThat(status(again)).isEqualTo("replayed");
        assertThat(idem.ledger()
                        .as(Browsable.class)
                        .orElseThrow()
                        .browse(Query.all())
                        .entries())
                .extracting(entry -> entry.address().scope())
                .hasSize(3)
                .doesNotHaveDuplicates()
                .allMatch(scope -> scope.matches("mcp-of-[0-9a-f]{16}:fixture:default"));
        assertThat(server.effects).hasSize(3);
        assertThat(server.headers).anyMatch(headers -> List.of("Bearer ann").equals(headers.get("Authorization")));
    }

    @Test
    void theQueryOfTheUrlReachesTheServerAndNamesTheUser() throws Exception {
        URI ann = URI.create(guarded + "?api_key=ann");
        post(ann, call(1, "pay", ANN));
        post(URI.create(guarded + "?api_key=bob"), call(2, "pay", ANN));

        assertThat(server.effects).hasSize(2);
        assertThat(server.targets).containsExactly("/mcp?api_key=ann", "/mcp?api_key=bob");
        assertThat(status(last(post(ann, call(3, "pay", ANN))))).isEqualTo("replayed");
    }

    @Test
    void whatAnotherGuardSaysIsNotTheResult() throws Exception {
        assertThat(status(ask(1, "held", ANN))).isEqualTo("needs_approval");

        assertThat(text(ask(2, "held", ANN))).isEqualTo("held done");
        assertThat(status(ask(3, "held", ANN))).isEqualTo("replayed");
    }

    @Test
    void theHeaderIdempotencyKeyIsAKey() throws Exception {
        ask(1, "pay", ANN, "Idempotency-Key", "\"k-1\"");
        Message same = ask(2, "pay", ANN, "Idempotency-Key", "k-1");
        Message other = ask(3, "pay", ANN, "Idempotency-Key", "k-2");

        assertThat(status(same)).isEqualTo("replayed");
        assertThat(text(other)).isEqualTo("pay done");
        assertThat(server.effects).hasSize(2);
        assertThat(post(guarded, call(4, "pay", ANN), "Idempotency-Key", "a,b").statusCode())
                .isEqualTo(400);
        assertThat(server.effects).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "{\"stream\":true}"})
    void theGuardOffersItsOwnToolsAndSeesThoseOfTheServer(String params) throws Exception {
        guardWith(McpOptions.of("fixture").ownTools(true));
        String list = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\",\"params\":" + params + "}";

        assertThat(last(post(guarded, list)).result("tools").toString()).contains("idem_pending", "pay");
        ask(2, "die", ANN);
        assertThat(text(ask(3, "idem_pending", "{}"))).contains("'die'", "unknown whether it took effect");
    }

    @Test
    void aProbeAsksUnderTheCredentialOfTheCall() throws Exception {
        guardWith(McpOptions.of("fixture").rules(McpRules.parse("""
                version: 1
                tools:
                  die:
                    probe: {tool: find, found: /found}
                    time_limit: 500ms
                """, "rules")));
        Eventually.isTrue(
                "the probe is asked",
                () -> text(ask(1, "die", ANN, "Authorization", "Bearer ann", "Mcp-Name", "die"))
                        .contains("It took effect"));

        assertThat(server.effects).containsExactly("die", "find");
        assertThat(server.headers)
                .anyMatch(headers -> List.of("find").equals(headers.get("Mcp-name"))
                        && List.of("Bearer ann").equals(headers.get("Authorization")));
    }

    @Test
    void aGuardInTheShadowCountsAndStopsNothing() throws Exception {
        List<String> told = new CopyOnWriteArrayList<>();
        guardWith(McpOptions.of("fixture").shadow(true).told(told::add));
        ask(1, "pay", ANN);
        Message second = ask(2, "pay", ANN);
        ask(3, "broken", ANN);
        HttpResponse<String> third = post(guarded, call(4, "broken", ANN));

        assertThat(status(second)).isEmpty();
        assertThat(third.statusCode()).isEqualTo(500);
        assertThat(server.effects).containsExactly("pay", "pay", "broken", "broken");
        assertThat(told)
                .containsExactly(
                        "a call of 'pay' would have been stopped: replayed",
                        "a call of 'broken' would have been stopped: in_doubt");
        assertThat(proxy.shadowSummary()).isEqualTo("2 of 4 calls would have been stopped: 1 in_doubt, 1 replayed");
        // The record of a guard that stops nothing is no record for one that does.
        guardWith(McpOptions.of("fixture"));
        assertThat(status(ask(5, "pay", ANN))).isEmpty();
    }
}
