package dev.idem.agent.inbox;

import dev.idem.Call;
import org.jspecify.annotations.Nullable;

/**
 * Handles an event.
 *
 * @param <T> its result, which every duplicate gets
 */
@FunctionalInterface
public interface Handler<T extends @Nullable Object> {
    /** Handles an event that was not handled before. If it throws, let the source deliver the event again. */
    T handle(Event event, Call call) throws Exception;
}
