package dev.idem.examples.agents;

import com.openai.client.OpenAIClient;
import com.openai.client.okhttp.OpenAIOkHttpClient;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.idem.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Speaks the chat completions API on loopback. Like all models it has no memory: it looks at the conversation. */
final class ModelServer implements AutoCloseable {
    /** The model: its answer to a conversation. */
    interface Mind {
        Reply next(Conversation conversation);
    }

    /**
     * The conversation that the model sees.
     *
     * @param prompt what the user said
     * @param results how many tools have answered
     * @param last the last of these answers; empty when there is none
     */
    record Conversation(String prompt, int results, String last) {}

    /** A text, or the call of a tool, or a failure of the server. */
    record Reply(int status, Map<String, ?> message) {
        static Reply says(String text) {
            return new Reply(200, Map.of("role", "assistant", "content", text));
        }

        static Reply calls(String tool, Map<String, ?> arguments) {
            Map<String, ?> function = Map.of("name", tool, "arguments", Json.write(arguments));
            return new Reply(
                    200,
                    Map.of(
                            "role",
                            "assistant",
                            "tool_calls",
                            List.of(Map.of("id", "call_1", "type", "function", "function", function))));
        }

        static Reply fails(int status) {
            return new Reply(status, Map.of());
        }
    }

    private final HttpServer server;
    private final Mind mind;
    private final OpenAIClient client;

    ModelServer(Mind mind) throws IOException {
        this.mind = mind;
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/v1/chat/completions", this::answer);
        server.start();
        client = OpenAIOkHttpClient.builder()
                .baseUrl("http://127.0.0.1:" + server.getAddress().getPort() + "/v1")
                .apiKey("none")
                .maxRetries(0)
                .build();
    }

    /** A real client of this server. */
    OpenAIClient client() {
        return client;
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            Map<?, ?> request = (Map<?, ?>)
                    Json.parse(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            Reply reply = mind.next(conversation((List<?>) request.get("messages")));
            byte[] body = body(reply).getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().add("Content-Type", "application/json");
            exchange.sendResponseHeaders(reply.status(), body.length);
            exchange.getResponseBody().write(body);
        }
    }

    private static Conversation conversation(List<?> messages) {
        List<Map<?, ?>> all = messages.stream().<Map<?, ?>>map(Map.class::cast).toList();
        List<Map<?, ?>> results =
                all.stream().filter(one -> "tool".equals(one.get("role"))).toList();
        return new Conversation(
                text(all.get(0)), results.size(), results.isEmpty() ? "" : text(results.get(results.size() - 1)));
    }

    /** The text of a message: alone, or in parts. */
    private static String text(Map<?, ?> message) {
        return message.get("content") instanceof List<?> parts
                ? parts.stream()
                        .map(part -> String.valueOf(((Map<?, ?>) part).get("text")))
                        .collect(Collectors.joining("\n\n"))
                : String.valueOf(message.get("content"));
    }

    private static String body(Reply reply) {
        if (reply.status() != 200) {
            return "{\"error\":{\"message\":\"no\",\"type\":\"server_error\"}}";
        }
        boolean calls = reply.message().containsKey("tool_calls");
        return Json.write(Map.of(
                "id",
                "c_1",
                "object",
                "chat.completion",
                "created",
                1,
                "model",
                "scripted",
                "choices",
                List.of(Map.of(
                        "index", 0, "finish_reason", calls ? "tool_calls" : "stop", "message", reply.message()))));
    }

    @Override
    public void close() {
        client.close();
        server.stop(0);
    }
}
