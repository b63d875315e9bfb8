package dev.idem.entry;

import java.time.Duration;

/**
 * How long a settled entry is kept.
 *
 * @param keep how long it answers duplicates; after that the key is free again
 * @param tombstone how much longer the key answers "expired" instead of running again; zero for not at all
 */
public record Retention(Duration keep, Duration tombstone) {
    /** Seven days, no tombstone. */
    public static final Retention DEFAULT = new Retention(Duration.ofDays(7), Duration.ZERO);

    /** Checks its parts; throws {@link IllegalArgumentException} when {@code keep} is not positive or {@code tombstone} is negative */
    public Retention {
        if (keep.isNegative() || keep.isZero()) {
            throw new IllegalArgumentException("retention must be positive, not " + keep);
        }
        if (tombstone.isNegative()) {
            throw new IllegalArgumentException("a tombstone can't be kept for " + tombstone);
        }
    }

    public static Retention of(Duration keep) {
        return new Retention(keep, Duration.ZERO);
    }

    public Retention withTombstone(Duration duration) {
        return new Retention(keep, duration);
    }
}
