package dev.idem.agent.run;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Names one run: {@code run_} and 26 digits of Crockford's base 32, of which the first ten are the time in milliseconds.
 * Ids of one process sort in the order in which they were made; those of others, by their time.
 */
public record RunId(String value) implements Comparable<RunId> {
    private static final String PREFIX = "run_";
    private static final String DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
    private static final int LENGTH = 26;
    private static final int TIME_LENGTH = 10;

    /** Checks it; throws {@link IllegalArgumentException} when it is not such an id. */
    public RunId {
        if (!looksLikeOne(value)) {
            throw new IllegalArgumentException(
                    "a run id is " + PREFIX + " and " + LENGTH + " digits of Crockford's base 32, not '" + value + "'");
        }
    }

    /** The id in a text from outside, or null when it is none. */
    public static @Nullable RunId parse(@Nullable String text) {
        return text != null && looksLikeOne(text) ? new RunId(text) : null;
    }

    /** From 48 bits of time and 80 bits that tell ids of one moment apart. */
    static RunId of(long millis, int high, long low) {
        char[] digits = new char[LENGTH];
        long time = millis;
        for (int i = TIME_LENGTH - 1; i >= 0; i--, time >>>= 5) {
            digits[i] = DIGITS.charAt((int) (time & 31));
        }
        long rest = low;
        long top = high & 0xFFFFL;
        for (int i = LENGTH - 1; i >= TIME_LENGTH; i--) {
            digits[i] = DIGITS.charAt((int) (rest & 31));
            rest = (rest >>> 5) | (top << 59);
            top >>>= 5;
        }
        return new RunId(PREFIX + new String(digits));
    }

    /** When it was made. */
    public Instant time() {
        long millis = 0;
        for (int i = 0; i < TIME_LENGTH; i++) {
            millis = (millis << 5) | DIGITS.indexOf(value.charAt(PREFIX.length() + i));
        }
        return Instant.ofEpochMilli(millis);
    }

    private static boolean looksLikeOne(String text) {
        // Ten digits have room for 50 bits: the time needs 48, so the first digit is at most 7.
        return text.length() == PREFIX.length() + LENGTH
                && text.startsWith(PREFIX)
                && text.charAt(PREFIX.length()) <= '7'
                && text.chars().skip(PREFIX.length()).allMatch(c -> DIGITS.indexOf(c) >= 0);
    }

    @Override
    public int compareTo(RunId other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
