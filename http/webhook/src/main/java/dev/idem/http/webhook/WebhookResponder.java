package dev.idem.http.webhook;

import dev.idem.Call;

/** Handles an event of a sender that reads the body of the answer, as Twilio does. */
@FunctionalInterface
public interface WebhookResponder {
    /**
     * Handles an event that was not handled before. If it throws, the event is handled again later.
     *
     * @return the answer, which every duplicate gets as well. One whose status is not 2xx is sent and not recorded: it
     *     counts as an exception
     */
    WebhookAnswer respond(WebhookEvent event, Call call) throws Exception;
}
