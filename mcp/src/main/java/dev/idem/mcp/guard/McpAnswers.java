package dev.idem.mcp.guard;

import dev.idem.Json;
import dev.idem.JsonException;
import dev.idem.agent.tool.McpCalls;
import dev.idem.agent.tool.ToolAnswer;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Turns answers into responses to one request. A replay, a held call and a running call are no errors: hosts count errors,
 * and stop to use a server that has many.
 */
public final class McpAnswers {
    private final Message request;
    private final boolean checked;

    /**
     * Answers for a request.
     *
     * @param checked whether the client checks results against a schema
     */
    McpAnswers(Message request, boolean checked) {
        this.request = request;
        this.checked = checked;
    }

    /**
     * The response for an answer.
     *
     * @param beside what the model is told beside a result of the server; null where there is nothing to tell
     */
    byte[] of(ToolAnswer answer, @Nullable String beside) {
        Message said = answer instanceof ToolAnswer.Refused refused ? ServerSaid.in(refused.cause()) : null;
        if (said != null) {
            byte[] told = Splice.replace(said.bytes(), String.valueOf(request.id()), "id");
            return beside == null ? told : Splice.append(told, block(beside), "result", "content");
        }
        return switch (answer.status()) {
            case RAN -> result(String.valueOf(answer.value()));
            case REPLAYED -> {
                byte[] told = result(marked(kept(answer.value()), answer));
                yield beside == null ? told : Splice.append(told, block(beside), "result", "content");
            }
            default -> result(words(answer));
        };
    }

    private static String block(String text) {
        return "{\"type\":\"text\",\"text\":" + Json.write(text) + "}";
    }

    /** A response with this result. */
    byte[] result(String json) {
        return ("{\"jsonrpc\":\"2.0\",\"id\":" + request.id() + ",\"result\":" + json + "}")
                .getBytes(StandardCharsets.UTF_8);
    }

    /** A response with a text for the model. */
    byte[] text(String words, boolean error) {
        return result(words(words, error, Map.of()));
    }

    /** Tells a host that a call still runs. */
    static byte[] progress(String token, String value) {
        return ("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{\"progressToken\":" + token
                        + ",\"progress\":" + value + ",\"message\":\"still running\"}}")
                .getBytes(StandardCharsets.UTF_8);
    }

    /** The answer to a request of the server whose host is gone. */
    public static byte[] hostIsGone(Message request) {
        return request.is("elicitation/create")
                ? new McpAnswers(request, false).result("{\"action\":\"cancel\"}")
                : error(request.id(), RpcError.OF_THE_GUARD, "the host is gone");
    }

    /** A response to a request that could not be passed on. */
    public static byte[] error(@Nullable String id, int code, String message) {
        return ("{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"error\":{\"code\":" + code + ",\"message\":"
                        + Json.write(message) + "}}")
                .getBytes(StandardCharsets.UTF_8);
    }

    /** The JSON text of a kept result. A result that a person gave may be any value. */
    private String kept(@Nullable Object value) {
        if (value instanceof String text) {
            try {
                if (Json.parse(text) instanceof Map) {
                    return text;
                }
            } catch (JsonException e) {
                // It is words, and not a result of a tool.
            }
        } else if (value instanceof Map<?, ?> members && members.containsKey("content")) {
            return Json.write(value);
        }
        String words = value instanceof String text ? text : Json.write(value);
        if (checked) {
            // It goes out as an error, which clients do not check, and must not be taken for one.
            words = "This call has taken effect; do not call it again. A person recorded its result: " + words;
        }
        return Json.write(Map.of("content", List.of(Map.of("type", "text", "text", words))));
    }

    /** The first result, with a mark that clients see and models do not. */
    private String marked(String result, ToolAnswer answer) {
        byte[] bytes = result.getBytes(StandardCharsets.UTF_8);
        byte[] meta = Splice.find(bytes, "_meta");
        if (meta == null) {
            bytes = Splice.add(bytes, "_meta", Json.write(McpCalls.about(answer)));
        } else if (Json.parse(meta) instanceof Map<?, ?> members) {
            for (Map.Entry<String, Object> about : McpCalls.about(answer).entrySet()) {
                meta = members.containsKey(about.getKey())
                        ? meta
                        : Splice.add(meta, about.getKey(), Json.write(about.getValue()));
            }
            bytes = Splice.replace(bytes, new String(meta, StandardCharsets.UTF_8), "_meta");
        }
        if (checked && has(bytes, "content") && !has(bytes, "structuredContent") && !has(bytes, "isError")) {
            // A person or a probe has left words. Clients refuse them as a result of this tool, but not as an error.
            bytes = Splice.add(bytes, "isError", "true");
        }
        if (needsResultType() && !has(bytes, "resultType")) {
            // The result came from a host of an earlier revision, a probe or a person.
            bytes = Splice.add(bytes, "resultType", "\"complete\"");
        }
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private static boolean has(byte[] result, String member) {
        return Splice.find(result, member) != null;
    }

    /** Whether the revision of the request is one in which every result has a type. */
    boolean needsResultType() {
        return request.meta("io.modelcontextprotocol/protocolVersion") != null;
    }

    private String words(ToolAnswer answer) {
        return words(answer.text(), McpCalls.isError(answer, checked), McpCalls.about(answer));
    }

    private String words(String text, boolean error, Map<String, Object> about) {
        Map<String, Object> result = new LinkedHashMap<>();
        if (needsResultType()) {
            result.put("resultType", "complete");
        }
        result.put("content", List.of(Map.of("type", "text", "text", text)));
        result.put("isError", error);
        if (!about.isEmpty()) {
            result.put("_meta", about);
        }
        return Json.write(result);
    }
}
