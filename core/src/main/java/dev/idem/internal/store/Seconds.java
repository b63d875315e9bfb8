package dev.idem.internal.store;

import java.math.BigDecimal;
import java.time.Duration;

/** Durations as numbers of seconds: {@code 300}, {@code 0.25}. */
final class Seconds {
    private static final int NANO_DIGITS = 9;

    private Seconds() {}

    static Number of(Duration duration) {
        if (duration.getNano() == 0) {
            return duration.getSeconds();
        }
        return BigDecimal.valueOf(duration.getSeconds())
                .add(BigDecimal.valueOf(duration.getNano(), NANO_DIGITS))
                .stripTrailingZeros();
    }

    static Duration duration(Number seconds) {
        if (seconds instanceof Long whole) {
            return Duration.ofSeconds(whole);
        }
        BigDecimal exact = new BigDecimal(seconds.toString());
        BigDecimal[] parts = exact.divideAndRemainder(BigDecimal.ONE);
        return Duration.ofSeconds(
                parts[0].longValueExact(), parts[1].movePointRight(NANO_DIGITS).longValueExact());
    }
}
