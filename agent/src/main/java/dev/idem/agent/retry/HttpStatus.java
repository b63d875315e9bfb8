package dev.idem.agent.retry;

import dev.idem.agent.retry.Diagnosis.Outlook;

/**
 * The diagnosis of an HTTP status. A refusal (4xx) is definite, unless a proxy may have given it for a request that it
 * passed on. A server error (5xx) is ambiguous: it may have come after the effect.
 */
public final class HttpStatus {
    private static final int LOWEST = 100;
    private static final int HIGHEST = 599;

    private HttpStatus() {}

    /** The diagnosis; {@link Diagnosis#NONE} for a status that is not an error. */
    public static Diagnosis diagnose(int status) {
        return switch (status) {
            // Not processed, and asked to come again.
            case 425, 429 -> Diagnosis.definite(Outlook.PASSING);
            // A gateway says so too, about a request that it has passed on.
            case 408 -> Diagnosis.ambiguous(Outlook.PASSING);
            // "In progress under the same key" to some, "already there" to others: perhaps through an earlier try.
            case 409 -> Diagnosis.ambiguous(Outlook.UNKNOWN);
            // Another request, on which this one depends, failed; the client gave up on it.
            case 424, 499 -> Diagnosis.ambiguous(Outlook.UNKNOWN);
            // Not implemented, an HTTP version not spoken, a login page of the network.
            case 501, 505, 511 -> Diagnosis.definite(Outlook.LASTING);
            default -> byClass(status);
        };
    }

    private static Diagnosis byClass(int status) {
        if (status >= 400 && status < 500) {
            return Diagnosis.definite(Outlook.LASTING);
        }
        return status >= 500 && status <= HIGHEST ? Diagnosis.ambiguous(Outlook.PASSING) : Diagnosis.NONE;
    }

    static boolean isOne(int number) {
        return number >= LOWEST && number <= HIGHEST;
    }
}
