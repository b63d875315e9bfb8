package dev.idem.agent.batch;

import dev.idem.Call;

/**
 * What is done with one item, once, when nothing is to be kept of it.
 *
 * @param <I> the item
 */
@FunctionalInterface
public interface ItemTask<I> {
    /** Called once for each item that is not complete; {@code call} has the key to hand to a remote. */
    void run(I item, Call call) throws Exception;
}
