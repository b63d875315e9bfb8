package dev.idem.redis;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Locale;

/** The time as the scripts of a test see it: sent along with every call. */
final class TestTime {
    private volatile byte[] now = digits(Instant.EPOCH);

    void set(Instant wall) {
        now = digits(wall);
    }

    private static byte[] digits(Instant wall) {
        return String.format(Locale.ROOT, "%016d", RowText.micros(wall)).getBytes(StandardCharsets.US_ASCII);
    }

    /** Everything goes by the test's time but fences: no two steps of a test are at the same moment of the server's. */
    ServerClock clock() {
        return new ServerClock("""
                local t = redis.call('TIME')
                local f = t[1] .. string.sub('00000' .. t[2], -6)
                local n = table.remove(ARGV)
                """, () -> now);
    }

    /** Fences go by the test's time too. */
    ServerClock clockOfFences() {
        return new ServerClock("""
                local n = table.remove(ARGV)
                local f = n
                """, () -> now);
    }
}
