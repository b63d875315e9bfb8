package dev.idem.spi;

import java.time.Duration;

/**
 * How long a settled entry is kept.
 *
 * @param keep how long it answers duplicates; after that the key is free again
 * @param tombstone how much longer the key answers "expired" instead of running again; zero for not at all
 */
public record Retention(Duration keep, Duration tombstone) {
    // Before DEFAULT, whose making is checked against it.
    private static final Duration LONGEST = Duration.ofDays(36_525);

    /** Seven days, no tombstone. */
    public static final Retention DEFAULT = new Retention(Duration.ofDays(7), Duration.ZERO);

    /**
     * Checks its parts; throws {@link IllegalArgumentException} when {@code keep} is not positive, {@code tombstone} is
     * negative, or one is longer than a century, since no ledger could write down when that ends
     */
    public Retention {
        if (keep.isNegative() || keep.isZero()) {
            throw new IllegalArgumentException("retention must be positive, not " + keep);
        }
        if (tombstone.isNegative()) {
            throw new IllegalArgumentException("a tombstone can't be kept for " + tombstone);
        }
        if (keep.compareTo(LONGEST) > 0 || tombstone.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("an entry can be kept for a century (" + LONGEST.toDays()
                    + " days) and its tombstone for another, not for " + keep + " and " + tombstone);
        }
    }

    public static Retention of(Duration keep) {
        return new Retention(keep, Duration.ZERO);
    }

    public Retention withTombstone(Duration duration) {
        return new Retention(keep, duration);
    }
}
