package dev.idem.agent.retry;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Optional;

/** Finds the delay that a remote asks for. */
@FunctionalInterface
public interface RetryAfter {
    /** The delay from now, where the failure names one. */
    Optional<Duration> of(Throwable thrown, Instant now);

    /** Ignores {@code Retry-After}. */
    static RetryAfter ignored() {
        return (thrown, now) -> Optional.empty();
    }

    /** Reads {@code retry-after-ms} and {@code Retry-After} from the headers that exceptions of HTTP clients carry. */
    static RetryAfter headers() {
        return (thrown, now) -> {
            for (Throwable one : Chain.of(thrown)) {
                Optional<Duration> wait = ResponseHeaders.of(one).flatMap(headers -> headers.wait(now));
                if (wait.isPresent()) {
                    return wait;
                }
            }
            return Optional.empty();
        };
    }

    /** The value of a {@code Retry-After} header: seconds, or a date. Empty when it is neither. */
    static Optional<Duration> parse(String value, Instant now) {
        String text = value.strip();
        try {
            if (text.matches("\\d{1,12}")) {
                return Optional.of(Duration.ofSeconds(Long.parseLong(text)));
            }
            Instant date = ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME)
                    .toInstant();
            Duration wait = Duration.between(now, date);
            return Optional.of(wait.isNegative() ? Duration.ZERO : wait);
        } catch (DateTimeException | ArithmeticException e) {
            return Optional.empty();
        }
    }
}
