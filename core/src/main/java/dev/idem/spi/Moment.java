package dev.idem.spi;

import java.time.Duration;
import java.time.Instant;

/**
 * A point in time on two clocks: the wall, for people, and the monotonic clock of one boot, for leases. Two moments of
 * the same boot are compared by the monotonic clock, so that a stepped wall clock lapses nothing.
 *
 * @param boot identifies the boot (and clock namespace) the nanoseconds belong to; empty where there is only wall time
 */
public record Moment(Instant wall, String boot, long nanos) {
    /** A moment that is known by wall time alone. */
    public static Moment ofWall(Instant wall) {
        return new Moment(wall, "", 0);
    }

    public Moment plus(Duration duration) {
        return new Moment(wall.plus(duration), boot, boot.isEmpty() ? 0 : nanos + duration.toNanos());
    }

    /** How long from this moment until the other; negative when the other is past. */
    public Duration until(Moment other) {
        if (sameBoot(other)) {
            return Duration.ofNanos(other.nanos - nanos);
        }
        return Duration.between(wall, other.wall);
    }

    public boolean isBefore(Moment other) {
        return sameBoot(other) ? nanos - other.nanos < 0 : wall.isBefore(other.wall);
    }

    private boolean sameBoot(Moment other) {
        return !boot.isEmpty() && boot.equals(other.boot);
    }

    // Written out: a record's own equality is put together at run time, which a short-lived program would notice.
    @Override
    public boolean equals(Object other) {
        return other instanceof Moment that && nanos == that.nanos && wall.equals(that.wall) && boot.equals(that.boot);
    }

    @Override
    public int hashCode() {
        return (wall.hashCode() * 31 + boot.hashCode()) * 31 + Long.hashCode(nanos);
    }
}
