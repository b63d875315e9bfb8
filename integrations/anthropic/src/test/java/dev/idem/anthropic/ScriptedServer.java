package dev.idem.anthropic;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.idem.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;

/** Speaks the Messages API on loopback, and says what a test has written down. */
final class ScriptedServer implements AutoCloseable {
    private record Answer(int status, String body) {}

    private final HttpServer server;
    private final Deque<Answer> script = new ArrayDeque<>();
    private final List<Map<?, ?>> asked = new ArrayList<>();
    private int calls;

    ScriptedServer() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.createContext("/v1/messages", this::answer);
        server.start();
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /** Next the model calls this tool; its id of the call is another each time. */
    ScriptedServer calls(String tool, String arguments) {
        return calls(tool, arguments, "tool_use");
    }

    ScriptedServer calls(String tool, String arguments, String stopReason) {
        return message(
                "{\"type\":\"tool_use\",\"id\":\"toolu_" + ++calls + "\",\"name\":\"" + tool + "\",\"input\":"
                        + arguments + "}",
                stopReason);
    }

    ScriptedServer says(String text) {
        return message("{\"type\":\"text\",\"text\":\"" + text + "\"}", "end_turn");
    }

    /** Next the server fails. */
    ScriptedServer fails(int status) {
        script.add(new Answer(status, "{\"type\":\"error\",\"error\":{\"type\":\"api_error\",\"message\":\"no\"}}"));
        return this;
    }

    private ScriptedServer message(String block, String stopReason) {
        script.add(new Answer(
                200,
                "{\"id\":\"msg_1\",\"type\":\"message\",\"role\":\"assistant\",\"model\":\"scripted\",\"content\":["
                        + block + "],\"stop_reason\":\"" + stopReason
                        + "\",\"stop_sequence\":null,\"usage\":{\"input_tokens\":1,\"output_tokens\":1}}"));
        return this;
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            asked.add((Map<?, ?>) Json.parse(body));
            Answer next = script.remove();
            byte[] bytes = next.body().getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().add("Content-Type", "application/json");
            exchange.sendResponseHeaders(next.status(), bytes.length);
            exchange.getResponseBody().write(bytes);
        }
    }

    /** The requests as they came. */
    List<Map<?, ?>> asked() {
        return asked;
    }

    /** The text about the model's last call in the last request. */
    Map<?, ?> lastResult() {
        List<?> messages = (List<?>) asked.get(asked.size() - 1).get("messages");
        List<?> content = (List<?>) ((Map<?, ?>) messages.get(messages.size() - 1)).get("content");
        return (Map<?, ?>) content.get(content.size() - 1);
    }

    String told() {
        return texts().get(0);
    }

    /** The texts of the last result: alone, or in blocks. */
    List<String> texts() {
        Object content = lastResult().get("content");
        return content instanceof List<?> blocks
                ? blocks.stream()
                        .map(block -> String.valueOf(((Map<?, ?>) block).get("text")))
                        .toList()
                : List.of(String.valueOf(content));
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
