package dev.idem.cli.syntax;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Durations as people write them: {@code 500ms}, {@code 60s}, {@code 5m}, {@code 2h}, {@code 7d}, {@code 0}. */
public final class Durations {
    private static final Duration LONGEST = Duration.ofDays(36_500);

    private Durations() {}

    /** A duration that may be zero. */
    public static Duration orZero(Arguments arguments, Option option) {
        String text = arguments.value(option);
        Duration time = parse(text);
        if (time == null) {
            throw new UsageException(arguments.source(option) + ": '" + text
                    + "' is no time; write a number and a unit: 500ms, 60s, 5m, 2h, 7d");
        }
        if (time.compareTo(LONGEST) > 0) {
            throw new UsageException(arguments.source(option) + ": '" + text + "' is more than a hundred years");
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

    private static @Nullable Duration parse(String text) {
        if (text.equals("0")) {
            return Duration.ZERO;
        }
        int digits = 0;
        while (digits < text.length() && text.charAt(digits) >= '0' && text.charAt(digits) <= '9') {
            digits++;
        }
        if (digits == 0 || digits > 15) {
            return null;
        }
        long number = Long.parseLong(text.substring(0, digits));
        return switch (text.substring(digits)) {
            case "ms" -> Duration.ofMillis(number);
            case "s" -> Duration.ofSeconds(number);
            case "m" -> Duration.ofMinutes(number);
            case "h" -> Duration.ofHours(number);
            case "d" -> Duration.ofSeconds(number * 86_400);
            default -> null;
        };
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
