package dev.idem.sql;

import java.time.Duration;
import java.time.Instant;

/** Times as microseconds, the finest that SQL databases agree on. */
public final class Micros {
    private static final long PER_SECOND = 1_000_000;
    private static final int NANOS = 1_000;

    private Micros() {}

    /** Microseconds since 1970. */
    public static long of(Instant instant) {
        return Math.addExact(Math.multiplyExact(instant.getEpochSecond(), PER_SECOND), instant.getNano() / NANOS);
    }

    /** The instant that many microseconds after 1970. */
    public static Instant instant(long micros) {
        return Instant.ofEpochSecond(Math.floorDiv(micros, PER_SECOND), Math.floorMod(micros, PER_SECOND) * NANOS);
    }

    /** How many microseconds it lasts; what is shorter than one counts as one. */
    public static long of(Duration duration) {
        long micros = Math.addExact(Math.multiplyExact(duration.getSeconds(), PER_SECOND), duration.getNano() / NANOS);
        return micros == 0 && !duration.isZero() ? 1 : micros;
    }

    /** The duration of that many microseconds. */
    public static Duration duration(long micros) {
        return Duration.ofSeconds(Math.floorDiv(micros, PER_SECOND), Math.floorMod(micros, PER_SECOND) * NANOS);
    }
}
