package dev.idem.agent.batch;

import java.time.Duration;
import java.util.Locale;

/** Numbers and durations as people read them. */
final class BatchWords {
    private BatchWords() {}

    /** {@code 100,000}. */
    static String number(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    /** {@code 0.4/s}, {@code 1,234/s}. */
    static String rate(double perSecond) {
        return perSecond < 10 ? String.format(Locale.ROOT, "%.1f/s", perSecond) : number(Math.round(perSecond)) + "/s";
    }

    /** {@code 48 s}, {@code 3 min 20 s}, {@code 2 h 5 min}. */
    static String duration(Duration duration) {
        long seconds = Math.max(0, duration.toSeconds());
        if (seconds < 60) {
            return seconds + " s";
        }
        if (seconds < 3600) {
            return seconds / 60 + " min " + seconds % 60 + " s";
        }
        return seconds / 3600 + " h " + seconds % 3600 / 60 + " min";
    }
}
