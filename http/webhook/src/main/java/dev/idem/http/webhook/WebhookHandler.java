package dev.idem.http.webhook;

import dev.idem.Call;

/** Handles an event. */
@FunctionalInterface
public interface WebhookHandler {
    /**
     * Handles an event that was not handled before. If it throws, the event is handled again later, so each step inside
     * should be an operation of its own.
     */
    void handle(WebhookEvent event, Call call) throws Exception;
}
