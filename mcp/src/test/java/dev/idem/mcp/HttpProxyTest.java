package dev.idem.mcp;

import static dev.idem.mcp.TestHost.call;
import static dev.idem.mcp.TestHost.status;
import static dev.idem.mcp.TestHost.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Idem;
import dev.idem.spi.Browsable;
import dev.idem.spi.Query;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The guard over HTTP, in front of a server over HTTP. */
class HttpProxyTest {
    private static final String ANN = "{\"to\":\"ann\"}";

    @TempDir
    Path folder;

    private final HttpClient client = HttpClient.newHttpClient();
    private Idem idem;
    private HttpFixture server;
    private HttpProxy proxy;
    private URI guarded;

    @BeforeEach
    void start() throws Exception {
        idem = Idem.builder()
                .ledger("sqlite:" + folder.resolve("idem.db"))
                .quiet()
                .open();
        server = new HttpFixture();
        guardWith(McpOptions.of("fixture"));
    }

    private void guardWith(McpOptions options) throws Exception {
        guardWith(options, Duration.ofSeconds(20));
    }

    private void guardWith(McpOptions options, Duration signs) throws Exception {
        if (proxy != null) {
            proxy.close();
        }
        proxy = new HttpProxy(idem, options, server.uri(), signs, Duration.ofMillis(100));
        guarded = proxy.start("127.0.0.1", 0);
    }

    @AfterEach
    void stop() {
        server.close();
        proxy.close();
        idem.close();
    }

    private static HttpRequest.Builder request(URI to) {
        return HttpRequest.newBuilder(to)
                .timeout(Duration.ofSeconds(60))
                .header("Content-Type", "application/json")
                .header("Accept", "application/json, text/event-stream");
    }

    private HttpResponse<String> post(URI to, String body, String... headers) throws Exception {
        HttpRequest.Builder request = request(to).POST(BodyPublishers.ofString(body));
        for (int i = 0; i < headers.length; i += 2) {
            request.setHeader(headers[i], headers[i + 1]);
        }
        return client.send(request.build(), BodyHandlers.ofString());
    }

    private Message ask(int id, String tool, String arguments, String... headers) throws Exception {
        return last(post(guarded, call(id, tool, arguments), headers));
    }

    /** The messages of a response, whatever its form. */
    private static List<Message> messages(HttpResponse<String> response) {
        List<Message> messages = new ArrayList<>();
        if (response.headers().firstValue("content-type").orElse("").startsWith("text/event-stream")) {
            response.body()
                    .lines()
                    .filter(line -> line.startsWith("data: "))
                    .forEach(line ->
                            messages.add(Message.ofServer(line.substring(6).getBytes(StandardCharsets.UTF_8))));
        } else {
            messages.add(Message.ofServer(response.body().getBytes(StandardCharsets.UTF_8)));
        }
        return messages;
    }

    /** The next event that is no comment. */
    private static String nextData(SseEvents events) throws IOException {
        SseEvents.Event event = events.next();
        while (event.data().length == 0) {
            event = events.next();
        }
        return new String(event.data(), StandardCharsets.UTF_8);
    }

    private static Message last(HttpResponse<String> response) {
        List<Message> messages = messages(response);
        return messages.get(messages.size() - 1);
    }

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
    @ValueSource(strings = {"die", "cut", "broken", "seeOther", "badAfterAll"})
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
        await(() -> server.effects.contains("late"));
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
        await(() -> server.effects.contains("late"));
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

    @ParameterizedTest
    @ValueSource(strings = {"DD-API-KEY", "Private-Token", "X-Forwarded-User", "X-Client-Secret", "Cookie"})
    void whateverNamesTheUserKeepsResultsApart(String header) throws Exception {
        ask(1, "pay", ANN, header, "ann");
        ask(2, "pay", ANN, header, "bob");

        assertThat(server.effects).hasSize(2);
    }

    @Test
    void aCookieThatChangesMakesNoNewUserWhereThereIsAToken() throws Exception {
        ask(1, "pay", ANN, "Authorization", "Bearer ann", "Cookie", "lb=1", "User-Agent", "a");
        Message second = ask(2, "pay", ANN, "Authorization", "Bearer ann", "Cookie", "lb=2", "User-Agent", "b");

        assertThat(status(second)).isEqualTo("replayed");
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

    @Test
    void progressComesUnderTheTokenOfTheHost() throws Exception {
        String call = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"progress\","
                + "\"arguments\":{},\"_meta\":{\"progressToken\":\"t-1\"}}}";

        List<Message> messages = messages(post(guarded, call));

        assertThat(messages).hasSize(2);
        assertThat(messages.get(0).param("progressToken")).isEqualTo("t-1");
        assertThat(text(messages.get(1))).isEqualTo("progress done");
        assertThat(server.bodies).noneMatch(body -> body.contains("t-1"));
    }

    @Test
    void aHostThatWaitsGetsSignsOfLife() throws Exception {
        guardWith(McpOptions.of("fixture"), Duration.ofMillis(50));
        String call = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"late\","
                + "\"arguments\":{},\"_meta\":{\"progressToken\":\"t-1\"}}}";
        HttpResponse<InputStream> response =
                client.send(request(guarded).POST(BodyPublishers.ofString(call)).build(), BodyHandlers.ofInputStream());
        SseEvents events = new SseEvents(response.body());

        assertThat(nextData(events)).contains("t-1", "still running");
        server.go.countDown();
        assertThat(new String(response.body().readAllBytes(), StandardCharsets.UTF_8))
                .contains("late done");
    }

    @Test
    void aStreamThatWasCutIsTakenUpAgain() throws Exception {
        assertThat(text(ask(1, "resume", ANN))).isEqualTo("resumed");
        assertThat(status(ask(2, "resume", ANN))).isEqualTo("replayed");
        assertThat(server.effects).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"poll", "cutInAnEvent"})
    void aStreamIsTakenUpAfterTheLastWholeEvent(String tool) throws Exception {
        assertThat(text(ask(1, tool, ANN))).isEqualTo("resumed");
        assertThat(server.effects).hasSize(1);
    }

    @Test
    void aHostThatReadsNothingDoesNotStopItsCall() throws Exception {
        HttpResponse<InputStream> unread = client.send(
                request(guarded)
                        .POST(BodyPublishers.ofString(call(1, "chatty", ANN)))
                        .build(),
                BodyHandlers.ofInputStream());

        assertThat(text(ask(2, "chatty", ANN))).isEqualTo("chatty done");
        assertThat(server.effects).hasSize(1);
        unread.body().close();
    }

    @Test
    void aHostThatGoesWhileItIsAskedLeavesNoServerWaiting() throws Exception {
        HttpResponse<InputStream> response = client.send(
                request(guarded)
                        .POST(BodyPublishers.ofString(call(1, "elicit", ANN)))
                        .build(),
                BodyHandlers.ofInputStream());
        assertThat(nextData(new SseEvents(response.body()))).contains("elicitation/create");
        response.body().close();
        server.go.countDown();

        assertThat(text(ask(2, "elicit", ANN))).contains("cancel");
        assertThat(server.effects).hasSize(1);
    }

    @Test
    void aStreamThatTheHostClosedIsClosedAtTheServer() throws Exception {
        HttpResponse<InputStream> stream =
                client.send(request(guarded).header("X-Stay", "true").GET().build(), BodyHandlers.ofInputStream());
        assertThat(server.staying.await(60, TimeUnit.SECONDS)).isTrue();
        stream.body().close();

        assertThat(server.closed.await(60, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void aPageInABrowserMayAskFirst() throws Exception {
        HttpRequest preflight = HttpRequest.newBuilder(guarded)
                .method("OPTIONS", BodyPublishers.noBody())
                .header("Origin", "http://localhost:6274")
                .header("Access-Control-Request-Method", "POST")
                .header("Access-Control-Request-Headers", "authorization,mcp-session-id")
                .build();

        HttpResponse<String> allowed = client.send(preflight, BodyHandlers.ofString());
        HttpResponse<String> passed =
                post(guarded, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}", "Origin", "http://localhost:6274");

        assertThat(allowed.statusCode()).isEqualTo(204);
        assertThat(allowed.headers().firstValue("access-control-allow-headers"))
                .contains("authorization,mcp-session-id");
        assertThat(passed.headers().allValues("access-control-allow-origin")).containsExactly("http://localhost:6274");
    }

    @Test
    void aServerCanAskItsHost() throws Exception {
        HttpResponse<InputStream> response = client.send(
                request(guarded)
                        .POST(BodyPublishers.ofString(call(1, "elicit", ANN)))
                        .build(),
                BodyHandlers.ofInputStream());
        SseEvents events = new SseEvents(response.body());
        assertThat(nextData(events)).contains("elicitation/create");
        String answer = "{\"jsonrpc\":\"2.0\",\"id\":\"e1\",\"result\":{\"action\":\"accept\"}}";
        assertThat(post(guarded, answer).statusCode()).isEqualTo(202);
        server.go.countDown();

        assertThat(new String(response.body().readAllBytes(), StandardCharsets.UTF_8))
                .contains("accept");
    }

    @Test
    void aServerThatAsksAHostThatReadsNoEventsIsAnswered() throws Exception {
        server.go.countDown();
        HttpRequest request = HttpRequest.newBuilder(guarded)
                .timeout(Duration.ofSeconds(60))
                .header("Content-Type", "application/json")
                .header("Accept", "application/*")
                .POST(BodyPublishers.ofString(call(1, "elicit", ANN)))
                .build();

        assertThat(client.send(request, BodyHandlers.ofString()).body()).contains("cancel");
    }

    @Test
    void otherRequestsPassByteForByte() throws Exception {
        String odd = "{ \"jsonrpc\":\"2.0\",\r\n \"id\" : 5, \"method\":\"x/y\", \"n\": 1.50e0, \"u\":\"\\u00e9\" }";

        HttpResponse<String> response = post(guarded, odd, "Mcp-Param-Odd", "a b", "Mcp-Session-Id", "s-1");

        assertThat(server.bodies).containsExactly(odd);
        assertThat(response.body()).isEqualTo(post(server.uri(), odd).body());
        assertThat(server.headers.peek().get("Mcp-param-odd")).containsExactly("a b");
        assertThat(server.headers.peek().get("Mcp-session-id")).containsExactly("s-1");
        HttpResponse<String> opened =
                post(guarded, "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{}}");
        assertThat(opened.headers().firstValue("mcp-session-id")).contains("s-1");
        assertThat(post(guarded, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}")
                        .statusCode())
                .isEqualTo(202);
    }

    @Test
    void streamsAndTheEndOfASessionPass() throws Exception {
        HttpResponse<String> stream = client.send(request(guarded).GET().build(), BodyHandlers.ofString());
        HttpResponse<String> bare = client.send(request(server.uri()).GET().build(), BodyHandlers.ofString());
        HttpResponse<String> deleted = client.send(request(guarded).DELETE().build(), BodyHandlers.ofString());
        URI metadata = guarded.resolve("/.well-known/oauth-protected-resource");

        assertThat(stream.body()).isEqualTo(bare.body()).contains("news");
        assertThat(deleted.statusCode()).isEqualTo(204);
        assertThat(client.send(request(metadata).GET().build(), BodyHandlers.ofString())
                        .body())
                .contains("resource");
        assertThat(post(guarded.resolve("/messages"), call(1, "pay", ANN)).statusCode())
                .isEqualTo(404);
        assertThat(server.effects).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"pay\"}}]",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"method\":\"tools/call\"}",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"Method\":\"tools/call\",\"method\":\"ping\"}",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\"",
                "{\"jsonrpc\":\"2.0\",\"method\":\"tools/call\",\"params\":{\"name\":\"pay\"}}",
                ""
            })
    void malformedMessagesDoNotReachTheServer(String body) throws Exception {
        HttpResponse<String> response = post(guarded, body);

        assertThat(response.statusCode()).isEqualTo(400);
        assertThat(last(response).isError()).isTrue();
        assertThat(server.headers).isEmpty();
    }

    /** A server that reads the bytes in another way would see another message. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "application/json; charset=utf-7",
                "application/json; charset=utf-16",
                "text/plain",
                "application/x-www-form-urlencoded",
                "application/json, text/plain"
            })
    void aMessageInAnotherFormDoesNotReachTheServer(String type) throws Exception {
        String harmless = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}";

        assertThat(post(guarded, harmless, "Content-Type", type).statusCode()).isEqualTo(415);
        assertThat(server.headers).isEmpty();
        assertThat(post(guarded, harmless, "Content-Type", "application/json;charset=\"UTF-8\"")
                        .statusCode())
                .isEqualTo(200);
    }

    @Test
    void aCompressedMessageDoesNotReachTheServer() throws Exception {
        assertThat(post(guarded, call(1, "pay", ANN), "Content-Encoding", "gzip")
                        .statusCode())
                .isEqualTo(415);
        assertThat(server.headers).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"https://evil.example", "null", "http://127.0.0.1.evil.example"})
    void aPageOfAnotherSiteIsTurnedAway(String origin) throws Exception {
        assertThat(post(guarded, call(1, "pay", ANN), "Origin", origin).statusCode())
                .isEqualTo(403);
        assertThat(server.headers).isEmpty();
        assertThat(post(guarded, call(1, "pay", ANN), "Origin", "http://localhost:6274")
                        .statusCode())
                .isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"GET /.well-known/../admin", "GET /.well-known/%2e%2e/admin", "GET /", "PUT /.well-known/x"})
    void otherPathsDoNotReachTheServer(String line) throws Exception {
        assertThat(raw(line, "127.0.0.1")).startsWith("HTTP/1.1 404").doesNotContain("/mcp");
        assertThat(server.headers).isEmpty();
    }

    @Test
    void theGuardAsksNoOtherMachine() throws Exception {
        try (HttpFixture other = new HttpFixture()) {
            raw("GET http://127.0.0.1:" + other.uri().getPort() + "/.well-known/x", "127.0.0.1");

            assertThat(other.headers).isEmpty();
            assertThat(server.targets).containsExactly("/.well-known/x");
        }
    }

    private String raw(String line, String host) throws IOException {
        try (Socket socket = new Socket("127.0.0.1", guarded.getPort())) {
            socket.getOutputStream()
                    .write((line + " HTTP/1.1\r\nHost: " + host + "\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void aNameOfAnotherMachineIsTurnedAway() throws Exception {
        assertThat(raw("POST /mcp", "rebound.example")).startsWith("HTTP/1.1 403");
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
                    probe_grace: 0s
                """, "rules")));
        ask(1, "die", ANN, "Authorization", "Bearer ann", "Mcp-Name", "die");

        Message second = ask(2, "die", ANN, "Authorization", "Bearer ann", "Mcp-Name", "die");

        assertThat(text(second)).contains("took effect");
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
    }

    private interface Condition {
        boolean holds();
    }

    private static void await(Condition condition) throws InterruptedException {
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!condition.holds()) {
            assertThat(System.nanoTime()).isLessThan(until);
            TimeUnit.MILLISECONDS.sleep(2);
        }
    }
}
