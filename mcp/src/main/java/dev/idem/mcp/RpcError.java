package dev.idem.mcp;

import java.util.Map;
import java.util.Set;

/** Codes of JSON-RPC errors. */
final class RpcError {
    static final int PARSE_ERROR = -32700;
    static final int INVALID_REQUEST = -32600;
    static final int INVALID_PARAMS = -32602;
    static final int METHOD_NOT_FOUND = -32601;

    /** An error of the guard itself. MCP reserves the codes from -32768 to -32000. */
    static final int OF_THE_GUARD = -31000;

    /** Errors that say that nothing ran. */
    private static final Set<Long> NOTHING_RAN =
            Set.of((long) PARSE_ERROR, (long) INVALID_REQUEST, (long) METHOD_NOT_FOUND, (long) INVALID_PARAMS);

    private RpcError() {}

    /** Whether the error of a response says that nothing ran. */
    static boolean saysNothingRan(Message response) {
        return response.members().get("error") instanceof Map<?, ?> error
                && error.get("code") instanceof Long code
                && NOTHING_RAN.contains(code);
    }
}
