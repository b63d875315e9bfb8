package dev.idem.agent.tool;

import dev.idem.NotExecutedException;
import org.jspecify.annotations.Nullable;

/**
 * The code of a tool was not called, for instance because its arguments do not fit. For adapters of frameworks: unlike
 * another failure, such a call does not use up its approval.
 */
public final class ToolNotCalledException extends NotExecutedException {
    private static final long serialVersionUID = 1;

    public ToolNotCalledException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
