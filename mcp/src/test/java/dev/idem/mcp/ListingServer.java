package dev.idem.mcp;

import dev.idem.Json;
import dev.idem.mcp.guard.Message;
import dev.idem.mcp.guard.RpcError;
import dev.idem.mcp.stdio.Lines;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * A server that only lists tools, in the ways in which servers do, and writes down what it is asked. The arguments of
 * {@link #main} are a folder and a way.
 */
public final class ListingServer {
    private static final String META = "io.modelcontextprotocol/";

    private final String way;
    private final Consumer<String> out;

    /** @param out where it says its messages */
    ListingServer(String way, Consumer<String> out) {
        this.way = way;
        this.out = out;
    }

    public static void main(String[] args) throws IOException {
        Path received = Path.of(args[0], "received");
        String way = args[1];
        if (way.equals("banner") || way.equals("garbage")) {
            say("Server is starting\u001b[31m ...");
        }
        if (way.equals("garbage") || way.equals("ends")) {
            System.exit(3);
        }
        for (int i = 0; way.equals("flood") && i < 100_000; i++) {
            say("no message " + i);
        }
        ListingServer server = new ListingServer(way, ListingServer::say);
        Lines lines = new Lines(System.in, 1_000_000);
        for (byte[] line = lines.next(); line != null; line = lines.next()) {
            Files.write(received, line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            Files.writeString(received, "\n", StandardOpenOption.APPEND);
            Message message = Message.ofServer(line);
            if (message != null && message.isRequest() && !way.equals("silent")) {
                server.answer(message);
            }
        }
    }

    void answer(Message message) {
        if (message.is("initialize")) {
            begin(message);
        } else if (message.is("tools/list") && way.equals("refuses")) {
            error(message, -32000, "no\nkey in the \u001b[2Jenvironment");
        } else if (message.is("tools/list") && way.equals("without-tools")) {
            error(message, RpcError.METHOD_NOT_FOUND, "unknown method");
        } else if (message.is("tools/list") && way.equals("late")) {
            boolean modern = "2026-07-28".equals(message.meta(META + "protocolVersion"))
                    && message.meta(META + "clientCapabilities") != null
                    && message.meta(META + "clientInfo") instanceof Map<?, ?>;
            if (modern) {
                list(message);
            } else {
                error(message, RpcError.INVALID_PARAMS, "_meta lacks the protocol version");
            }
        } else if (message.is("tools/list")) {
            list(message);
        }
    }

    private void begin(Message message) {
        if (way.equals("late")) {
            error(message, RpcError.METHOD_NOT_FOUND, "there is no initialize");
            return;
        } else if (way.equals("asks")) {
            out.accept("{\"jsonrpc\":\"2.0\",\"id\":\"p\",\"method\":\"ping\"}");
            out.accept("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"roots/list\"}");
        }
        result(
                message,
                Map.of(
                        "protocolVersion", "2025-06-18",
                        "capabilities", Map.of("tools", Map.of()),
                        "serverInfo", Map.of("name", "listing", "version", "1.2")));
    }

    private void list(Message message) {
        String cursor = message.param("cursor") instanceof String given ? given : "";
        Map<String, Object> result = new LinkedHashMap<>();
        switch (cursor) {
            case "" -> {
                result.put("tools", List.of(tool("find", Map.of("readOnlyHint", true)), tool("send", Map.of())));
                result.put("nextCursor", "two");
            }
            case "two" -> {
                result.put("tools", List.of(tool("drop", Map.of("destructiveHint", true)), tool("send", Map.of())));
                result.put("nextCursor", way.equals("endless") ? "two" : "three");
            }
            default -> result.put("tools", List.of(tool("put", Map.of("idempotentHint", true)), Map.of("title", "x")));
        }
        if (way.equals("late")) {
            result.put("resultType", "complete");
            result.put("_meta", Map.of(META + "serverInfo", Map.of("name", "late", "version", "2")));
        }
        result(message, result);
    }

    private static Map<String, Object> tool(String name, Map<String, Object> hints) {
        Map<String, Object> schema = Map.of("type", "object", "required", List.of("to", "idempotency_key"));
        return Map.of("name", name, "description", "Does " + name, "inputSchema", schema, "annotations", hints);
    }

    private void result(Message message, Map<String, Object> result) {
        out.accept("{\"jsonrpc\":\"2.0\",\"id\":" + message.id() + ",\"result\":" + Json.write(result) + "}");
    }

    private void error(Message message, int code, String text) {
        out.accept("{\"jsonrpc\":\"2.0\",\"id\":" + message.id() + ",\"error\":"
                + Json.write(Map.of("code", code, "message", text)) + "}");
    }

    private static void say(String line) {
        byte[] bytes = (line + "\n").getBytes(StandardCharsets.UTF_8);
        System.out.write(bytes, 0, bytes.length);
        System.out.flush();
    }
}
