package dev.idem.agent.retry;

import java.time.Duration;

/** Watches retries. A listener that throws harms nothing: what it throws is logged. */
public interface RetryListener {
    /** A try failed, and another follows after the delay. */
    default void retrying(int attempt, Throwable failure, Duration delay) {}

    /** A try failed, and none follows. */
    default void stopped(Throwable failure, RetryStopped why) {}

    /** A call went well that had to be tried more than once. */
    default void recovered(int attempts) {}
}
