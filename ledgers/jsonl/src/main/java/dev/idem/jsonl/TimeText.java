package dev.idem.jsonl;

import dev.idem.entry.Moment;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;

/** Times as text. A moment is the time on the wall; then, where there are any, the monotonic nanoseconds and their boot. */
final class TimeText {
    private TimeText() {}

    static String of(Moment moment) {
        boolean plain = moment.boot().isEmpty() && moment.nanos() == 0;
        return plain ? moment.wall().toString() : moment.wall() + " " + moment.nanos() + " " + moment.boot();
    }

    static Moment moment(String text) {
        String[] parts = text.split(" ", 3);
        Instant wall = instant(parts[0]);
        return parts.length < 3 ? Moment.ofWall(wall) : new Moment(wall, parts[2], Long.parseLong(parts[1]));
    }

    /** Not {@code Instant.parse}, which makes a formatter for each text: an opening reads millions. */
    static Instant instant(String text) {
        return LocalDateTime.parse(text.substring(0, text.length() - 1)).toInstant(ZoneOffset.UTC);
    }
}
