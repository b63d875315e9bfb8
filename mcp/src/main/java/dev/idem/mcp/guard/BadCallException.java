package dev.idem.mcp.guard;

import dev.idem.agent.tool.McpCalls;
import org.jspecify.annotations.Nullable;

/** A call that can't be made because of what the host has put beside its arguments. Its message says what to send. */
final class BadCallException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private BadCallException(IllegalArgumentException why) {
        super(why.getMessage(), why);
    }

    /** The key or session that a host has given in this field; null where it has given none. */
    static @Nullable String given(String field, @Nullable Object value) {
        try {
            return McpCalls.given(field, value);
        } catch (IllegalArgumentException e) {
            throw new BadCallException(e);
        }
    }
}
