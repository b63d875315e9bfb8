package dev.idem.agent.inbox;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An event that was tried as often as it may be, and is given up.
 *
 * @param source of the event
 * @param key what it is known by
 * @param attempts how often its handler was run
 * @param cause what the last of them threw; null when its process died
 */
public record DeadLetter(
        String source,
        Event event,
        String key,
        int attempts,
        @Nullable Throwable cause) {
    /** What the last attempt threw; empty when its process died. */
    public Optional<Throwable> why() {
        return Optional.ofNullable(cause);
    }
}
