package dev.idem.http;

import java.io.IOException;

/**
 * The body of a request is longer than {@link HttpRules#largestBody()}, or than the server takes. The guard answers with
 * 413.
 */
public final class BodyTooLargeException extends IOException {
    private static final long serialVersionUID = 1;

    public BodyTooLargeException(long limit) {
        super("the body of the request has more than " + limit + " bytes; set a higher limit with largestBody(...)");
    }

    /** The server itself takes no body of this length. */
    public BodyTooLargeException(String message, Throwable cause) {
        super(message, cause);
    }
}
