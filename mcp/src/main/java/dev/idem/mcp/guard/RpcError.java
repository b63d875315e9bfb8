package dev.idem.mcp.guard;

import dev.idem.agent.tool.McpCalls;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** Codes of JSON-RPC errors. */
public final class RpcError {
    static final int PARSE_ERROR = -32700;
    public static final int INVALID_REQUEST = -32600;
    public static final int INVALID_PARAMS = -32602;
    public static final int METHOD_NOT_FOUND = -32601;

    /** An error of the guard itself. MCP reserves the codes from -32768 to -32000. */
    public static final int OF_THE_GUARD = -31000;

    /** How the TypeScript SDK tells in a result that a call did not reach its tool. */
    private static final Pattern REFUSAL = Pattern.compile(
            "MCP error -32602: (Input validation error|Tool .{1,200} (not found|disabled)).*", Pattern.DOTALL);

    private RpcError() {}

    /** Whether a result with {@code isError} says that the call did not reach the tool. */
    static boolean isRefusalInWords(Message response) {
        return response.result("content") instanceof List<?> blocks
                && blocks.size() == 1
                && blocks.get(0) instanceof Map<?, ?> block
                && block.get("text") instanceof String text
                && REFUSAL.matcher(text).matches();
    }

    /**
     * Whether the error of a response says that nothing ran.
     *
     * @param checked whether the server checks the results of the tool
     */
    static boolean saysNothingRan(Message response, boolean checked) {
        return response.members().get("error") instanceof Map<?, ?> error
                && error.get("code") instanceof Long code
                && McpCalls.saysNothingRan(code, checked);
    }
}
