package dev.idem.agent.inbox;

import java.time.Duration;

/**
 * How an {@link InboxDriver} works.
 *
 * @param threads how many events are handled at the same time
 * @param firstWait how long after its first failure an event is tried again; four times longer after each further one
 * @param longestWait the longest wait between two attempts
 * @param lookEvery how often the driver looks for recorded events of other processes, and for those sent again
 * @param closeWait how long {@link InboxDriver#close} waits for running handlers
 */
public record Pace(int threads, Duration firstWait, Duration longestWait, Duration lookEvery, Duration closeWait) {
    /** Four threads; waits of 1 s, 4 s, 16 s, … up to 1 h; looks every 10 s; 10 s to close. */
    public static final Pace USUAL =
            new Pace(4, Duration.ofSeconds(1), Duration.ofHours(1), Duration.ofSeconds(10), Duration.ofSeconds(10));

    /** Checks its parts; throws {@link IllegalArgumentException} if there is no thread or a time is not positive. */
    public Pace {
        if (threads < 1) {
            throw new IllegalArgumentException("a driver needs at least one thread, not " + threads);
        }
        for (Duration time : new Duration[] {firstWait, longestWait, lookEvery}) {
            if (time.isNegative() || time.isZero()) {
                throw new IllegalArgumentException("the times of a driver must be positive, not " + time);
            }
        }
    }

    public Pace threads(int number) {
        return new Pace(number, firstWait, longestWait, lookEvery, closeWait);
    }

    public Pace waits(Duration first, Duration longest) {
        return new Pace(threads, first, longest, lookEvery, closeWait);
    }

    public Pace lookEvery(Duration interval) {
        return new Pace(threads, firstWait, longestWait, interval, closeWait);
    }

    public Pace closeWait(Duration duration) {
        return new Pace(threads, firstWait, longestWait, lookEvery, duration);
    }

    /** The wait after this many failed attempts. */
    Duration waitAfter(int attempts) {
        Duration wait = firstWait;
        for (int i = 1; i < attempts && wait.compareTo(longestWait) < 0; i++) {
            wait = wait.multipliedBy(4);
        }
        return wait.compareTo(longestWait) < 0 ? wait : longestWait;
    }
}
