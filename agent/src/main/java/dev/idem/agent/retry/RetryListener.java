package dev.idem.agent.retry;

import java.time.Duration;

/** Observes retries. Exceptions of a listener are logged and do no harm. */
public interface RetryListener {
    /** A try failed, and another follows after the delay. */
    default void retrying(int attempt, Throwable failure, Duration delay) {}

    /** A try failed, and none follows. */
    default void stopped(Throwable failure, RetryStopped why) {}

    /** A call succeeded after more than one try. */
    default void recovered(int attempts) {}
}
