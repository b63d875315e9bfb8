package dev.idem.agent.batch;

import dev.idem.Call;
import org.jspecify.annotations.Nullable;

/**
 * What is done with one item, once.
 *
 * @param <I> the item
 * @param <T> what is kept of it
 */
@FunctionalInterface
public interface ItemAction<I, T extends @Nullable Object> {
    /** Called once for each item that is not complete; {@code call} has the key to hand to a remote. */
    T run(I item, Call call) throws Exception;
}
