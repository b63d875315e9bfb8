package dev.idem.sqlite;

import dev.idem.spi.Moment;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;

/**
 * Times as readable text that sorts by time: {@code 2026-03-01T12:00:00.123456789Z}. A moment continues with the
 * nanoseconds of the monotonic clock and their boot.
 *
 * <p>Neither direction loads a formatter of the JDK, which would take longer than the rest of a command.
 */
final class TimeText {
    private static final String ZERO = "0000-00-00T00:00:00.000000000";
    private static final int DECIMAL = 10;
    private static final int LENGTH = ZERO.length() + 1;

    private TimeText() {}

    static String of(Instant instant) {
        String text = LocalDateTime.ofEpochSecond(instant.getEpochSecond(), instant.getNano(), ZoneOffset.UTC)
                .toString();
        if (text.charAt(ZERO.indexOf('-')) != '-') {
            throw new IllegalArgumentException("a SQLite ledger can't keep a time after the year 9999: " + text);
        }
        // The text of the JDK omits seconds and nanoseconds that are zero.
        return text + ZERO.substring(text.length()) + 'Z';
    }

    static String of(Moment moment) {
        String wall = of(moment.wall());
        return moment.boot().isEmpty() ? wall : wall + ' ' + moment.nanos() + ' ' + moment.boot();
    }

    static @Nullable String ofNullable(@Nullable Instant instant) {
        return instant == null ? null : of(instant);
    }

    static @Nullable String ofNullable(@Nullable Moment moment) {
        return moment == null ? null : of(moment);
    }

    static Instant instant(String text) {
        return LocalDateTime.of(
                        number(text, 0, 4),
                        number(text, 5, 7),
                        number(text, 8, 10),
                        number(text, 11, 13),
                        number(text, 14, 16),
                        number(text, 17, 19),
                        number(text, 20, 29))
                .toInstant(ZoneOffset.UTC);
    }

    static Moment moment(String text) {
        Instant wall = instant(text);
        if (text.length() == LENGTH) {
            return Moment.ofWall(wall);
        }
        int boot = text.indexOf(' ', LENGTH + 1) + 1;
        return new Moment(wall, text.substring(boot), Long.parseLong(text, LENGTH + 1, boot - 1, DECIMAL));
    }

    private static int number(String text, int from, int to) {
        return Integer.parseInt(text, from, to, DECIMAL);
    }
}
