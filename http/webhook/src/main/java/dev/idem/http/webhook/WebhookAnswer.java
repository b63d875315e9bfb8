package dev.idem.http.webhook;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The HTTP answer to a request of a sender.
 *
 * @param status 2xx if the sender is done with the events; a sender sends them again after other statuses
 * @param contentType the content type of the body
 * @param body the body; empty for none
 * @param retryAfter the value of the header {@code Retry-After}; null to leave the header out
 */
public record WebhookAnswer(
        int status,
        String contentType,
        String body,
        @Nullable Duration retryAfter) {
    private static final String TEXT = "text/plain; charset=utf-8";

    /** An answer 200 with a body, for instance TwiML. */
    public static WebhookAnswer ok(String contentType, String body) {
        return new WebhookAnswer(200, contentType, body, null);
    }

    static WebhookAnswer text(int status, String body) {
        return new WebhookAnswer(status, TEXT, body, null);
    }

    WebhookAnswer retryAfter(long seconds) {
        return new WebhookAnswer(status, contentType, body, Duration.ofSeconds(seconds));
    }

    /** Whether the status is 2xx, so that the sender does not send the events again. */
    public boolean accepted() {
        return status / 100 == 2;
    }

    /** Shows no body. */
    @Override
    public String toString() {
        return "WebhookAnswer[" + status + ", " + contentType + ", " + body.length() + " characters]";
    }
}
