package dev.idem.agent.batch;

import dev.idem.Call;
import org.jspecify.annotations.Nullable;

/**
 * The work on one item.
 *
 * @param <I> the item
 * @param <T> its result
 */
@FunctionalInterface
public interface ItemAction<I, T extends @Nullable Object> {
    /** Called once for each item that is not complete; {@code call} has the key to hand to a remote. */
    T run(I item, Call call) throws Exception;
}
