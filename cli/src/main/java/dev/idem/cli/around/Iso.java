package dev.idem.cli.around;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;

/** Instants as {@link Instant#toString()} writes them, without its formatter, which costs a start-up dearly. */
public final class Iso {
    private static final int UP_TO_MINUTES = "2026-11-15T11:30".length();

    private Iso() {}

    /** The instant in UTC: {@code 2026-11-15T11:30:00.123456Z}. */
    public static String text(Instant instant) {
        String text = LocalDateTime.ofEpochSecond(instant.getEpochSecond(), instant.getNano(), ZoneOffset.UTC)
                .toString();
        return text + (text.length() == UP_TO_MINUTES ? ":00Z" : "Z");
    }
}
