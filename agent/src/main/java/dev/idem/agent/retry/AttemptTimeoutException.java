package dev.idem.agent.retry;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A try was interrupted after its time limit. It may have had an effect. */
public final class AttemptTimeoutException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final Duration limit;

    AttemptTimeoutException(Duration limit, @Nullable Throwable cause) {
        super("a try was interrupted after its time limit of " + limit + "; what it did may have happened", cause);
        this.limit = limit;
    }

    public Duration limit() {
        return limit;
    }
}
