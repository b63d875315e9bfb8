package dev.idem.redis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;

/** Numbers as digits of a fixed width, which scripts compare as text. Times are microseconds. */
final class Digits {
    /** The width of a time, a duration and a fence. */
    static final int TIME = 16;

    private static final long PER_SECOND = 1_000_000;

    private Digits() {}

    static void put(byte[] into, int at, int width, long number) {
        long rest = number;
        for (int i = at + width - 1; i >= at; i--) {
            into[i] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
        if (rest != 0 || number < 0) {
            throw new IllegalArgumentException(number + " has more than " + width + " digits");
        }
    }

    static byte[] of(long number, int width) {
        byte[] digits = new byte[width];
        put(digits, 0, width, number);
        return digits;
    }

    static long read(byte[] from, int at, int width) {
        long number = 0;
        for (int i = at; i < at + width; i++) {
            int digit = from[i] - '0';
            if (digit < 0 || digit > 9) {
                throw new IllegalArgumentException("no digit at position " + i);
            }
            number = number * 10 + digit;
        }
        return number;
    }

    /** A number as short as it can be. */
    static byte[] plain(long number) {
        return Long.toString(number).getBytes(StandardCharsets.US_ASCII);
    }

    /** How many microseconds it lasts; what is shorter than one counts as one. */
    static long micros(Duration duration) {
        long micros = duration.getSeconds() * PER_SECOND + duration.getNano() / 1_000;
        return micros == 0 && !duration.isZero() ? 1 : micros;
    }

    static Duration duration(long micros) {
        return Duration.ofSeconds(micros / PER_SECOND, micros % PER_SECOND * 1_000);
    }

    static long micros(Instant instant) {
        return instant.getEpochSecond() * PER_SECOND + instant.getNano() / 1_000;
    }

    static Instant instant(long micros) {
        return Instant.ofEpochSecond(micros / PER_SECOND, micros % PER_SECOND * 1_000);
    }
}
