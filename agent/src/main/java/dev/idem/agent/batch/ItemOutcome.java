package dev.idem.agent.batch;

import dev.idem.Outcome;
import org.jspecify.annotations.Nullable;

/**
 * How one item ended.
 *
 * @param id of the item, as {@code idOf} gave it
 * @param outcome what core says of it; its {@link Outcome#value()} is the item's own or the replayed one
 * @param <I> the item
 * @param <T> what is kept of it
 */
public record ItemOutcome<I, T extends @Nullable Object>(I item, String id, ItemState state, Outcome<T> outcome) {
    /** Shows no value. */
    @Override
    public String toString() {
        return "ItemOutcome[" + id + " " + state + "]";
    }
}
