package dev.idem.mcp.guard;

import dev.idem.Json;
import dev.idem.JsonException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** One JSON-RPC message: its bytes as they came, without the end of the line, and its members. Immutable. */
public final class Message {
    /** The prefix of the names that the protocol itself puts into {@code _meta}. */
    public static final String META = "io.modelcontextprotocol/";

    private static final List<String> MEMBERS = List.of("jsonrpc", "id", "method", "params", "result", "error");
    private static final List<String> CALL_MEMBERS = List.of("name", "arguments", "_meta", "idempotencyKey");

    private final byte[] bytes;
    private final Map<?, ?> members;
    private final @Nullable String id;
    private final @Nullable String method;

    private Message(byte[] bytes, Map<?, ?> members, @Nullable String id, @Nullable String method) {
        this.bytes = bytes;
        this.members = members;
        this.id = id;
        this.method = method;
    }

    /**
     * Reads what a host sent. Only a single strict object passes: what two readers could read differently would let a
     * call through that the guard has not seen.
     *
     * @throws Malformed if the line is anything else
     */
    public static Message ofHost(byte[] line) throws Malformed {
        Message message = read(line);
        if (!"2.0".equals(message.members.get("jsonrpc"))) {
            throw new Malformed(RpcError.INVALID_REQUEST, "\"jsonrpc\" is not \"2.0\"");
        }
        requireOneSpelling(message.members, MEMBERS);
        if (message.is("tools/call") && message.members.get("params") instanceof Map<?, ?> params) {
            requireOneSpelling(params, CALL_MEMBERS);
        }
        boolean response = message.members.containsKey("result") != message.members.containsKey("error");
        if (message.method == null && !(response && message.id != null)) {
            throw new Malformed(RpcError.INVALID_REQUEST, "it is neither a request nor a response");
        }
        return message;
    }

    /** Some servers read names in any case, and would see another message than the guard. */
    private static void requireOneSpelling(Map<?, ?> members, List<String> known) throws Malformed {
        for (Object member : members.keySet()) {
            for (String name : known) {
                if (name.equalsIgnoreCase(String.valueOf(member)) && !name.equals(member)) {
                    throw new Malformed(RpcError.INVALID_REQUEST, "write \"" + name + "\" exactly so");
                }
            }
        }
    }

    /** Reads what a server sent, or null where it is no JSON-RPC message. */
    public static @Nullable Message ofServer(byte[] line) {
        try {
            return read(line);
        } catch (Malformed e) {
            return null;
        }
    }

    /**
     * The id of a request that is no valid message: a host waits for an answer under it, and for nothing else. Null where it
     * can't be read, and for a response of a host, whose id is one of the server.
     *
     * @param line all of the message, or its beginning
     */
    public static @Nullable String idOfUnreadable(byte[] line) {
        try {
            byte[] id = Splice.find(line, "method") == null ? null : Splice.find(line, "id");
            Object value = id == null ? null : Json.parse(id);
            return id != null && (value instanceof String || value instanceof Number)
                    ? new String(id, StandardCharsets.UTF_8)
                    : null;
        } catch (RuntimeException e) {
            // It is broken before the id, or ends there.
            return null;
        }
    }

    private static Message read(byte[] line) throws Malformed {
        Object json;
        try {
            for (byte each : line) {
                if (each == '\r') {
                    // A server that also ends lines at CR would read the parts as messages of their own.
                    throw new Malformed(RpcError.PARSE_ERROR, "it has a carriage return inside");
                }
            }
            json = Json.parse(line);
        } catch (JsonException e) {
            throw new Malformed(RpcError.PARSE_ERROR, String.valueOf(e.getMessage()));
        }
        if (!(json instanceof Map<?, ?> members)) {
            throw new Malformed(RpcError.INVALID_REQUEST, "send one message in each line, and no batches");
        }
        Object id = members.get("id");
        Object method = members.get("method");
        boolean goodId = id == null ? !members.containsKey("id") : id instanceof String || id instanceof Number;
        if (!(goodId || members.containsKey("error")) || !(method == null || method instanceof String)) {
            throw new Malformed(RpcError.INVALID_REQUEST, "the id is text or a number, the method is text");
        }
        byte[] text = Splice.find(line, "id");
        return new Message(
                line,
                members,
                text == null ? null : new String(text, StandardCharsets.UTF_8),
                method == null ? null : (String) method);
    }

    /** The bytes themselves, without a copy: do not change them. */
    public byte[] bytes() {
        return bytes;
    }

    public Map<?, ?> members() {
        return members;
    }

    /** The JSON text of the id; null where there is none. */
    @Nullable
    public String id() {
        return id;
    }

    public boolean isRequest() {
        return id != null && method != null;
    }

    public boolean isResponse() {
        return id != null && method == null;
    }

    public boolean is(String other) {
        return other.equals(method);
    }

    /** A member of the params; null where it is absent. */
    @Nullable
    public Object param(String name) {
        return members.get("params") instanceof Map<?, ?> params ? params.get(name) : null;
    }

    /** A member of {@code params._meta}; null where it is absent. */
    @Nullable
    public Object meta(String name) {
        return param("_meta") instanceof Map<?, ?> meta ? meta.get(name) : null;
    }

    /** The JSON text of the value at a path. */
    public String text(String... path) {
        return new String(Objects.requireNonNull(Splice.find(bytes, path)), StandardCharsets.UTF_8);
    }

    /** Whether the response is an error. */
    public boolean isError() {
        return members.containsKey("error");
    }

    /** A member of the result of a response; null where it is absent. */
    @Nullable
    public Object result(String name) {
        return members.get("result") instanceof Map<?, ?> result ? result.get(name) : null;
    }

    /** Whether a response asks the host for input, with which the host makes the request again. */
    boolean asksForInput() {
        return "input_required".equals(result("resultType"));
    }

    /** Shows no arguments. */
    @Override
    public String toString() {
        return "Message[" + (method == null ? "response" : method) + ", " + bytes.length + " bytes]";
    }

    /** A line that is not passed on. */
    public static final class Malformed extends Exception {
        private static final long serialVersionUID = 1;
        public final int code;

        Malformed(int code, String message) {
            super(message, null, false, false);
            this.code = code;
        }
    }
}
