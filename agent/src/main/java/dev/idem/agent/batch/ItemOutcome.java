package dev.idem.agent.batch;

import dev.idem.Outcome;
import org.jspecify.annotations.Nullable;

/**
 * How one item ended.
 *
 * @param id of the item, as {@code idOf} gave it
 * @param outcome the outcome of its operation; {@link Outcome#value()} is the result of this run or the replayed one
 * @param <I> the item
 * @param <T> its result
 */
public record ItemOutcome<I, T extends @Nullable Object>(I item, String id, ItemState state, Outcome<T> outcome) {
    /** Shows no value. */
    @Override
    public String toString() {
        return "ItemOutcome[" + id + " " + state + "]";
    }
}
