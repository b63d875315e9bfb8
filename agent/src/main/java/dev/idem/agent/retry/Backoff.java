package dev.idem.agent.retry;

import java.time.Duration;
import java.util.function.DoubleSupplier;

/** How long to wait before the next try: twice as long each time, up to a cap, and then some chance. */
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
