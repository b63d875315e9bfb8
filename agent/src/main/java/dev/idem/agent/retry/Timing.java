package dev.idem.agent.retry;

import java.time.Duration;
import java.time.Instant;

/** The clock of retries. Tests use one that they move themselves. */
public interface Timing {
    /** Monotonic time. */
    long nanos();

    /** Wall time, for a {@code Retry-After} that names a date. */
    Instant now();

    void sleep(Duration duration) throws InterruptedException;

    /** Runs a short task after a while, unless it is cancelled before. */
    Alarm after(Duration duration, Runnable task);

    /** A task that waits for its time. */
    @FunctionalInterface
    interface Alarm {
        void cancel();
    }

    /** The time of this machine. */
    static Timing system() {
        return SystemTiming.INSTANCE;
    }
}
