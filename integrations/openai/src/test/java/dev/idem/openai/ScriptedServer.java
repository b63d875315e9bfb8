package dev.idem.openai;

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

/** Speaks the chat completions API on loopback, and says what a test has written down. */
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
        server.createContext("/v1/chat/completions", this::answer);
        server.start();
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/v1";
    }

    /** Next the model calls this tool; its id of the call is another each time. */
    ScriptedServer calls(String tool, String arguments) {
        return calls(tool, arguments, "tool_calls");
    }

    ScriptedServer calls(String tool, String arguments, String finishReason) {
        return message(
                "null,\"tool_calls\":[{\"id\":\"call_" + ++calls
                        + "\",\"type\":\"function\",\"function\":{\"name\":\"" + tool + "\",\"arguments\":"
                        + Json.write(arguments) + "}}]",
                finishReason);
    }

    ScriptedServer says(String text) {
        return message(Json.write(text), "stop");
    }

    /** Next the server fails. */
    ScriptedServer fails(int status) {
        script.add(new Answer(status, "{\"error\":{\"message\":\"no\",\"type\":\"server_error\"}}"));
        return this;
    }

    private ScriptedServer message(String content, String finishReason) {
        script.add(new Answer(
                200,
                "{\"id\":\"c_1\",\"object\":\"chat.completion\",\"created\":1,\"model\":\"scripted\",\"choices\":[{"
                        + "\"index\":0,\"logprobs\":null,\"finish_reason\":\"" + finishReason
                        + "\",\"message\":{\"role\":\"assistant\",\"refusal\":null,\"content\":" + content
                        + "}}]}"));
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
    String told() {
        return texts().get(0);
    }

    /** The texts of the last result: alone, or in parts. */
    List<String> texts() {
        List<?> messages = (List<?>) asked.get(asked.size() - 1).get("messages");
        Object content = ((Map<?, ?>) messages.get(messages.size() - 1)).get("content");
        return content instanceof List<?> parts
                ? parts.stream()
                        .map(part -> String.valueOf(((Map<?, ?>) part).get("text")))
                        .toList()
                : List.of(String.valueOf(content));
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
