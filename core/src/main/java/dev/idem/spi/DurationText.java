package dev.idem.spi;

import java.time.DateTimeException;
import java.time.Duration;
import java.util.Optional;

/**
 * Durations as people write them: {@code 500ms}, {@code 30s}, {@code 5m}, {@code 24h}, {@code 7d}, or {@code PT5M}.
 * The packages for TypeScript and Python read them the same way; their tests read the same cases.
 */
public final class DurationText {
    private DurationText() {}

    /** Parses a duration; empty where the text is not a duration, or is too large for one. */
    public static Optional<Duration> parse(String given) {
        String text = given.strip();
        try {
            if (text.startsWith("P")) {
                boolean signed = text.indexOf('-') >= 0 || text.indexOf('+') >= 0;
                return signed ? Optional.empty() : Optional.of(Duration.parse(text));
            }
            int digits = 0;
            while (digits < text.length() && text.charAt(digits) >= '0' && text.charAt(digits) <= '9') {
                digits++;
            }
            long number = Long.parseLong(text.substring(0, digits));
            return switch (text.substring(digits).strip()) {
                case "ms" -> Optional.of(Duration.ofMillis(number));
                case "s" -> Optional.of(Duration.ofSeconds(number));
                case "m" -> Optional.of(Duration.ofMinutes(number));
                case "h" -> Optional.of(Duration.ofHours(number));
                case "d" -> Optional.of(Duration.ofDays(number));
                default -> Optional.empty();
            };
        } catch (DateTimeException | NumberFormatException | ArithmeticException e) {
            return Optional.empty();
        }
    }
}
