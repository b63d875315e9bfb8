package dev.idem.agent.retry;

import dev.idem.internal.codec.Accessors;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The headers of a response, in whichever form a client keeps them. */
record ResponseHeaders(Object kept) {
    private static final Pattern DIGITS = Pattern.compile("\\d{1,12}");
    private static final List<String> ACCESSORS =
            List.of("headers", "getResponseHeaders", "getHeaders", "responseHeaders");

    static Optional<ResponseHeaders> of(Throwable thrown) {
        for (String accessor : ACCESSORS) {
            Object kept = Accessors.read(thrown, accessor);
            if (kept != null) {
                return Optional.of(new ResponseHeaders(kept));
            }
        }
        Object details = Accessors.read(thrown, "awsErrorDetails");
        Object response = details == null ? null : Accessors.read(details, "sdkHttpResponse");
        return response == null ? Optional.empty() : Optional.of(new ResponseHeaders(response));
    }

    Optional<Duration> wait(Instant now) {
        String millis = first("retry-after-ms");
        if (millis != null && DIGITS.matcher(millis.strip()).matches()) {
            return Optional.of(Duration.ofMillis(Long.parseLong(millis.strip())));
        }
        String value = first("Retry-After");
        return value == null ? Optional.empty() : RetryAfter.parse(value, now);
    }

    private @Nullable String first(String name) {
        if (kept instanceof Map<?, ?> map) {
            return map.entrySet().stream()
                    .filter(entry -> name.equalsIgnoreCase(String.valueOf(entry.getKey())))
                    .map(entry -> one(entry.getValue()))
                    .findFirst()
                    .orElse(null);
        }
        for (String accessor : List.of("getFirst", "values", "firstMatchingHeader", "firstValue")) {
            String value = one(Accessors.read(kept, accessor, name));
            if (value == null) {
                value = one(Accessors.read(kept, accessor, name.toLowerCase(Locale.ROOT)));
            }
            if (value != null) {
                return value;
            }
        }
        return null;
    }

    private static @Nullable String one(@Nullable Object value) {
        if (value instanceof List<?> list) {
            return list.isEmpty() ? null : String.valueOf(list.get(0));
        }
        return value == null ? null : value.toString();
    }
}
