package dev.idem.agent.batch;

import dev.idem.Call;

/**
 * The work on one item that has no result.
 *
 * @param <I> the item
 */
@FunctionalInterface
public interface ItemTask<I> {
    /** Called once for each item that is not complete; {@code call} has the key to hand to a remote. */
    void run(I item, Call call) throws Exception;
}
