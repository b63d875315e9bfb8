package dev.idem.mcp.guard;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** Codes of JSON-RPC errors. */
public final class RpcError {
    static final int PARSE_ERROR = -32700;
    public static final int INVALID_REQUEST = -32600;
    public static final int INVALID_PARAMS = -32602;
    public static final int METHOD_NOT_FOUND = -32601;

    /** An error of the guard itself. MCP reserves the codes from -32768 to -32000. */
    public static final int OF_THE_GUARD = -31000;

    private static final Set<Object> NOT_REACHED = Set.of((long) METHOD_NOT_FOUND, (long) INVALID_PARAMS);

    /** How the TypeScript SDK tells in a result that a call did not reach its tool. */
    private static final Pattern REFUSAL = Pattern.compile(
            "MCP error -32602: (Input validation error|Tool .{1,200} (not found|disabled)).*", Pattern.DOTALL);

    private RpcError() {}

    /**
     * Whether a response says that the call did not reach its tool. A tool that has acted may pass on such an error of
     * another server, so it counts only where {@link ListedTools} shows the same.
     *
     * @param checked whether the server checks the results of the tool. Such servers say "invalid params" also about a
     *     result, after the tool has acted
     */
    static boolean saysNotReached(Message response, boolean checked) {
        return response.isError()
                ? !checked
                        && response.members().get("error") instanceof Map<?, ?> error
                        && error.get("code") instanceof Long code
                        && NOT_REACHED.contains(code)
                : isRefusalInWords(response);
    }

    private static boolean isRefusalInWords(Message response) {
        return response.result("content") instanceof List<?> blocks
                && blocks.size() == 1
                && blocks.get(0) instanceof Map<?, ?> block
                && block.get("text") instanceof String text
                && REFUSAL.matcher(text).matches();
    }
}
