package dev.idem.agent.guard;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The limits of a tool or a session. Replays of a resumed run do not count. Immutable.
 *
 * @param calls the most calls that may run; null for any number
 * @param failures the most calls that may fail; after so many none runs
 * @param time the time that calls may take together; after it none begins
 */
public record Limits(
        @Nullable Integer calls,
        @Nullable Integer failures,
        @Nullable Duration time) {
    private static final Limits NONE = new Limits(null, null, null);

    /** Checks its parts; throws {@link IllegalArgumentException} when one is not positive. */
    public Limits {
        if ((calls != null && calls < 1)
                || (failures != null && failures < 1)
                || (time != null && (time.isNegative() || time.isZero()))) {
            throw new IllegalArgumentException(
                    "limits are positive, not " + calls + " calls, " + failures + " failures and a time of " + time);
        }
    }

    /** No limit. */
    public static Limits none() {
        return NONE;
    }

    public Limits calls(int most) {
        return new Limits(most, failures, time);
    }

    public Limits failures(int most) {
        return new Limits(calls, most, time);
    }

    public Limits time(Duration most) {
        return new Limits(calls, failures, most);
    }
}
