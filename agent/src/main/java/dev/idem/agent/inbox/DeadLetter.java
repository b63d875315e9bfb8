package dev.idem.agent.inbox;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An event that was given up after too many attempts.
 *
 * @param source of the event
 * @param key the key of the event
 * @param attempts how often its handler was run
 * @param cause the exception of the last attempt; null if its process died
 */
public record DeadLetter(
        String source,
        Event event,
        String key,
        int attempts,
        @Nullable Throwable cause) {
    /** The exception of the last attempt; empty if its process died. */
    public Optional<Throwable> why() {
        return Optional.ofNullable(cause);
    }
}
