package dev.idem.internal.runtime;

import java.time.Duration;

/** Durations as nanoseconds of a monotonic clock. Those that mean "for ever" become a century, which does not overflow. */
public final class Nanos {
    private static final Duration CENTURY = Duration.ofDays(36_525);

    private Nanos() {}

    public static long of(Duration duration) {
        return duration.compareTo(CENTURY) < 0 ? duration.toNanos() : CENTURY.toNanos();
    }
}
