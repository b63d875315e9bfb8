package dev.idem.mcp;

import static dev.idem.mcp.TestHost.call;
import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.mcp.guard.Message;
import dev.idem.testkit.Until;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The requests that the guard over HTTP lets through, and those that it turns away. */
class HttpDoorTest extends HttpCase {
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
        HttpResponse<String> called = post(guarded, call(1, "pay", ANN), "Mcp-Session-Id", "s-1");
        assertThat(called.headers().firstValue("mcp-session-id")).contains("s-1");
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

    @Test
    void halfAnEmojiIsAnsweredUnderTheIdOfItsCall() throws Exception {
        Message answer = last(post(guarded, UnreadableMessageTest.HALF_AN_EMOJI));

        assertThat(answer.isError()).isTrue();
        assertThat(answer.id()).isEqualTo("7");
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

    /** Without its end it would be another message, and perhaps a whole one. */
    @Test
    void aMessageThatIsTooLongDoesNotReachTheServer() throws Exception {
        String padded = call(1, "pay", ANN) + " ".repeat(64 * 1024 * 1024);

        assertThat(post(guarded, padded).statusCode()).isEqualTo(413);
        assertThat(server.headers).isEmpty();
    }

    /** With JDK 25, one in seven ends cut off the answer of the last call. */
    @RepeatedTest(20)
    void aGuardThatEndsWaitsForItsCallsAndTakesNoOthers() throws Exception {
        CompletableFuture<HttpResponse<String>> running = client.sendAsync(
                request(guarded)
                        .POST(BodyPublishers.ofString(call(1, "late", ANN)))
                        .build(),
                BodyHandlers.ofString());
        Until.isTrue("the call runs", () -> server.effects.contains("late"));
        CompletableFuture<Void> end = CompletableFuture.runAsync(() -> proxy.end(Duration.ofMinutes(1)));
        String ping = "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"ping\"}";
        Eventually.isTrue("others are turned away", () -> post(guarded, ping).statusCode() == 503);

        assertThat(post(guarded, call(3, "pay", ANN)).statusCode()).isEqualTo(503);
        assertThat(end).isNotDone();
        server.go.countDown();

        assertThat(running.get(60, TimeUnit.SECONDS).body()).contains("late done");
        end.get(60, TimeUnit.SECONDS);
        assertThat(server.effects).containsExactly("late");
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
}
