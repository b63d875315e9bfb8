package dev.idem.agent.inbox;

import dev.idem.Call;
import org.jspecify.annotations.Nullable;

/**
 * What is done about an event.
 *
 * @param <T> what it gives, and every duplicate is answered with
 */
@FunctionalInterface
public interface Handler<T extends @Nullable Object> {
    /** Called for an event that is not handled yet. If it throws, the event is to be delivered again. */
    T handle(Event event, Call call) throws Exception;
}
