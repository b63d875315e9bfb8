package dev.idem.spi;

import java.util.HexFormat;

/**
 * Names one attempt to claim, chosen by the claimer. A claim that is sent again because its answer was lost carries
 * the same id and gets the same answer.
 */
public record AttemptId(long high, long low) {
    /** Parses the text of {@link #toString()}. */
    public static AttemptId parse(String hex) {
        if (hex.length() != 32) {
            throw new IllegalArgumentException("an attempt id is 32 hex digits, not " + hex.length() + " characters");
        }
        return new AttemptId(HexFormat.fromHexDigitsToLong(hex, 0, 16), HexFormat.fromHexDigitsToLong(hex, 16, 32));
    }

    // Written out: a record's own equality is put together at run time, which a short-lived program would notice.
    @Override
    public boolean equals(Object other) {
        return other instanceof AttemptId that && high == that.high && low == that.low;
    }

    @Override
    public int hashCode() {
        return Long.hashCode(high) * 31 + Long.hashCode(low);
    }

    @Override
    public String toString() {
        HexFormat hex = HexFormat.of();
        return hex.toHexDigits(high) + hex.toHexDigits(low);
    }
}
