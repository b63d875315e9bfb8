package dev.idem.internal;

import java.time.Duration;

/** Durations as text for people. */
final class DurationText {
    private DurationText() {}

    /** For instance {@code 24 hours}, {@code 90 seconds}, {@code 7 days}. */
    static String of(Duration duration) {
        long seconds = duration.toSeconds();
        if (seconds > 2 * 86_400 && seconds % 86_400 == 0) {
            return seconds / 86_400 + " days";
        } else if (seconds > 2 * 3_600 && seconds % 3_600 == 0) {
            return seconds / 3_600 + " hours";
        } else if (seconds > 2 * 60 && seconds % 60 == 0) {
            return seconds / 60 + " minutes";
        }
        return seconds < 2 ? duration.toMillis() + " ms" : seconds + " seconds";
    }
}
