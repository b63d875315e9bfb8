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
    /** Acts, once it was allowed to; {@link Call#key()} is to be handed to a remote that deduplicates by it. */
    @Nullable
    Object run(Call call, I input) throws Exception;
}
