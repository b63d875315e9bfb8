package dev.idem.mcp;

import static dev.idem.mcp.TestHost.call;
import static dev.idem.mcp.TestHost.status;
import static dev.idem.mcp.TestHost.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.mcp.guard.Message;
import dev.idem.mcp.http.SseEvents;
import java.io.InputStream;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Streams of events between a server, the guard and a host, whichever of them cuts, stalls or leaves one. */
class HttpStreamsTest extends HttpCase {
    @Override
    Duration ping() {
        return Duration.ofMillis(100);
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

    /** The second server is not there for a moment. */
    @ParameterizedTest
    @ValueSource(strings = {"resume", "restart"})
    void aStreamThatWasCutIsTakenUpAgain(String tool) throws Exception {
        assertThat(text(ask(1, tool, ANN))).isEqualTo("resumed");
        assertThat(status(ask(2, tool, ANN))).isEqualTo("replayed");
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
}
