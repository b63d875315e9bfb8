package dev.idem.mcp;

import static dev.idem.mcp.TestHost.call;

import dev.idem.Idem;
import dev.idem.mcp.guard.Message;
import dev.idem.mcp.http.SseEvents;
import java.io.IOException;
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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A guard over HTTP, in front of a server over HTTP, and a host that calls. */
abstract class HttpCase {
    static final String ANN = "{\"to\":\"ann\"}";

    @TempDir
    Path folder;

    final HttpClient client = HttpClient.newHttpClient();
    Idem idem;
    HttpFixture server;
    HttpProxy proxy;
    URI guarded;

    @BeforeEach
    void start() throws Exception {
        idem = Idem.builder()
                .ledger("sqlite:" + folder.resolve("idem.db"))
                .quiet()
                .open();
        server = new HttpFixture();
        guardWith(McpOptions.of("fixture"));
    }

    /** How often hosts get a comment: never, so that responses are those of the server. */
    Duration ping() {
        return Duration.ofMinutes(5);
    }

    void guardWith(McpOptions options) throws Exception {
        guardWith(options, Duration.ofSeconds(20));
    }

    void guardWith(McpOptions options, Duration signs) throws Exception {
        guardWith(options, HttpUsers.guessed(), signs);
    }

    void guardWith(McpOptions options, HttpUsers users, Duration signs) throws Exception {
        if (proxy != null) {
            proxy.close();
        }
        proxy = new HttpProxy(idem, options, server.uri(), users, signs, ping());
        guarded = proxy.start("127.0.0.1", 0);
    }

    @AfterEach
    void stop() {
        server.close();
        proxy.close();
        idem.close();
    }

    static HttpRequest.Builder request(URI to) {
        return HttpRequest.newBuilder(to)
                .timeout(Duration.ofSeconds(60))
                .header("Content-Type", "application/json")
                .header("Accept", "application/json, text/event-stream");
    }

    HttpResponse<String> post(URI to, String body, String... headers) throws Exception {
        HttpRequest.Builder request = request(to).POST(BodyPublishers.ofString(body));
        for (int i = 0; i < headers.length; i += 2) {
            request.setHeader(headers[i], headers[i + 1]);
        }
        return client.send(request.build(), BodyHandlers.ofString());
    }

    Message ask(int id, String tool, String arguments, String... headers) throws Exception {
        return last(post(guarded, call(id, tool, arguments), headers));
    }

    /** The messages of a response, whatever its form. */
    static List<Message> messages(HttpResponse<String> response) {
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
    static String nextData(SseEvents events) throws IOException {
        SseEvents.Event event = events.next();
        while (event.data().length == 0) {
            event = events.next();
        }
        return new String(event.data(), StandardCharsets.UTF_8);
    }

    static Message last(HttpResponse<String> response) {
        List<Message> messages = messages(response);
        return messages.get(messages.size() - 1);
    }
}
