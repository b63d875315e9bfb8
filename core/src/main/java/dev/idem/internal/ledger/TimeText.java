package dev.idem.internal.ledger;

import dev.idem.spi.Moment;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;

/** Times as text. A moment is the wall time, then, if known, the monotonic nanoseconds and their boot. */
public final class TimeText {
    private static final int DECIMAL = 10;
    private static final int NANO_DIGITS = 9;
    /** The end of a four-digit year and of the seconds. */
    private static final int YEAR = 4;

    private static final int SECONDS = 19;

    private TimeText() {}

    public static String of(Moment moment) {
        return moment.wall() + monotonic(moment);
    }

    /** The part of a moment's text that follows the wall time; empty for a moment that is known by wall time alone. */
    public static String monotonic(Moment moment) {
        boolean plain = moment.boot().isEmpty() && moment.nanos() == 0;
        return plain ? "" : " " + moment.nanos() + " " + moment.boot();
    }

    public static Moment moment(String text) {
        String[] parts = text.split(" ", 3);
        Instant wall = instant(parts[0]);
        return parts.length < 3 ? Moment.ofWall(wall) : new Moment(wall, parts[2], Long.parseLong(parts[1]));
    }

    /**
     * Not {@code Instant.parse}, which creates a formatter for each text: an opening may read a million. The first
     * formatter of a program takes longer than the rest of a command.
     */
    public static Instant instant(String text) {
        if (text.charAt(YEAR) != '-') {
            return Instant.parse(text);
        }
        int end = text.length() - 1;
        int fraction = end > SECONDS ? number(text, SECONDS + 1, end) : 0;
        for (int digits = end - SECONDS - 1; digits < NANO_DIGITS && fraction > 0; digits++) {
            fraction *= DECIMAL;
        }
        return LocalDateTime.of(
                        number(text, 0, 4),
                        number(text, 5, 7),
                        number(text, 8, 10),
                        number(text, 11, 13),
                        number(text, 14, 16),
                        number(text, 17, SECONDS),
                        fraction)
                .toInstant(ZoneOffset.UTC);
    }

    private static int number(String text, int from, int to) {
        return Integer.parseInt(text, from, to, DECIMAL);
    }
}
