package dev.idem.mcpsdk;

import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import org.jspecify.annotations.Nullable;

/** The handler of a tool for one call. It returns when its work has ended. */
@FunctionalInterface
interface Handler {
    /**
     * Does the work.
     *
     * @return null where the handler gave no result
     */
    @Nullable
    CallToolResult handle(CallToolRequest request) throws Exception;
}
