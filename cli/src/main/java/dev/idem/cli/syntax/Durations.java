package dev.idem.cli.syntax;

import dev.idem.spi.DurationText;
import java.time.Duration;

/** Durations on the command line, and in sentences for people. */
public final class Durations {
    static final Duration LONGEST = Duration.ofDays(36_500);

    private Durations() {}

    /** A duration that may be zero. */
    public static Duration orZero(Arguments arguments, Option option) {
        String text = arguments.value(option);
        String source = arguments.source(option);
        Duration time = text.equals("0")
                ? Duration.ZERO
                : DurationText.parse(text).filter(given -> !given.isNegative()).orElse(null);
        if (time == null) {
            throw new UsageException(
                    source + ": '" + text + "' is no time; write a number and a unit: 500ms, 60s, 5m, 2h, 7d");
        } else if (time.compareTo(LONGEST) > 0) {
            throw new UsageException(source + ": '" + text + "' is more than a hundred years");
        }
        return time;
    }

    public static Duration positive(Arguments arguments, Option option) {
        Duration time = orZero(arguments, option);
        if (time.isZero()) {
            throw new UsageException(arguments.source(option) + " must be more than 0");
        }
        return time;
    }

    /** The duration in its largest fitting units, rounded down: {@code 57 s}, {@code 4 min 12 s}. */
    public static String words(Duration time) {
        long seconds = time.toSeconds();
        if (seconds < 1) {
            return time.toMillis() + " ms";
        } else if (seconds < 60) {
            return seconds + " s";
        } else if (seconds < 3600) {
            return seconds / 60 + " min " + seconds % 60 + " s";
        } else if (seconds < 86_400) {
            return seconds / 3600 + " h " + seconds / 60 % 60 + " min";
        }
        return seconds / 86_400 + " d " + seconds / 3600 % 24 + " h";
    }
}
