package dev.idem.sqlite;

import dev.idem.internal.ledger.TimeText;
import dev.idem.spi.Moment;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;

/** Times as text that sorts by time, {@code 2026-03-01T12:00:00.123456789Z}, and that {@link TimeText} reads. */
final class SortableTime {
    private static final String ZERO = "0000-00-00T00:00:00.000000000";

    private SortableTime() {}

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
        return of(moment.wall()) + TimeText.monotonic(moment);
    }

    static @Nullable String ofNullable(@Nullable Instant instant) {
        return instant == null ? null : of(instant);
    }

    static @Nullable String ofNullable(@Nullable Moment moment) {
        return moment == null ? null : of(moment);
    }
}
