package dev.idem.agent.retry;

import java.time.Duration;
import java.util.function.DoubleSupplier;

/** The delay before the next try: it doubles each time, up to a cap, with jitter. */
record Backoff(Duration base, Duration cap, Jitter jitter, DoubleSupplier random) {
    /** The delay after this many tries have failed. */
    Duration after(int failed) {
        long first = base.toNanos();
        int doublings = failed - 1;
        boolean beyond = doublings >= Long.numberOfLeadingZeros(Math.max(first, 1)) - 1;
        long delay = beyond ? Long.MAX_VALUE : first << doublings;
        return Duration.ofNanos(jitter.apply(Math.min(delay, cap.toNanos()), random));
    }
}
