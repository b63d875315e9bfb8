package dev.idem.cli.around;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;

/** Instants as {@link Instant#toString()} writes them, without its formatter, which slows down the start. */
public final class Iso {
    private static final int UP_TO_MINUTES = "2026-11-15T11:30".length();

    private Iso() {}

    /** The instant for people: local, to the second, {@code 2026-11-15 12:30:00}. */
    public static String local(Instant instant) {
        String text = LocalDateTime.ofInstant(instant.truncatedTo(ChronoUnit.SECONDS), ZoneId.systemDefault())
                .toString()
                .replace('T', ' ');
        return text.length() == UP_TO_MINUTES ? text + ":00" : text;
    }

    /** The instant in UTC: {@code 2026-11-15T11:30:00.123456Z}. */
    public static String text(Instant instant) {
        String text = LocalDateTime.ofEpochSecond(instant.getEpochSecond(), instant.getNano(), ZoneOffset.UTC)
                .toString();
        return text + (text.length() == UP_TO_MINUTES ? ":00Z" : "Z");
    }
}
