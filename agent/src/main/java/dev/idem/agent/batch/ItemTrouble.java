package dev.idem.agent.batch;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An item that is not complete, and why.
 *
 * @param id of the item
 * @param reason one sentence for people
 * @param cause what was thrown, if anything was
 */
public record ItemTrouble(
        String id, ItemState state, String reason, @Nullable Throwable cause) {
    /** What was thrown, if anything was. */
    public Optional<Throwable> why() {
        return Optional.ofNullable(cause);
    }
}
