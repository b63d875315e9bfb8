package dev.idem.agent.batch;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An item that is not complete, and why.
 *
 * @param id of the item
 * @param reason one sentence for people
 * @param cause the exception; null where there is none
 */
public record ItemTrouble(
        String id, ItemState state, String reason, @Nullable Throwable cause) {
    /** The exception, where there is one. */
    public Optional<Throwable> why() {
        return Optional.ofNullable(cause);
    }
}
