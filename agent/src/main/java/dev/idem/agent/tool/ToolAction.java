package dev.idem.agent.tool;

import dev.idem.Call;
import org.jspecify.annotations.Nullable;

/**
 * The code of a tool.
 *
 * @param <I> its input
 */
@FunctionalInterface
public interface ToolAction<I> {
    /** Acts. Hand {@link Call#key()} to a remote that deduplicates by it. */
    @Nullable
    Object run(Call call, I input) throws Exception;
}
