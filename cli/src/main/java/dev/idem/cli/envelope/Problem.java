package dev.idem.cli.envelope;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Why there is nothing to give.
 *
 * @param code a stable word for programs
 * @param message one or two sentences for people
 * @param retryable whether the same call may simply be made again: true only where nothing happened
 * @param retryAfter how long it is worth waiting before that; null when nobody knows
 * @param fix what has to be done before; null when nothing helps or nothing is needed
 */
public record Problem(
        String code,
        String message,
        boolean retryable,
        @Nullable Duration retryAfter,
        @Nullable String fix) {

    public static Problem of(String code, String message) {
        return new Problem(code, message, false, null, null);
    }

    public static Problem retryable(String code, String message) {
        return new Problem(code, message, true, null, null);
    }

    public Problem withFix(String what) {
        return new Problem(code, message, retryable, retryAfter, what);
    }

    public Problem withRetryAfter(Duration time) {
        return new Problem(code, message, retryable, time, fix);
    }

    public Map<String, @Nullable Object> fields() {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("code", code);
        fields.put("message", message);
        fields.put("retryable", retryable);
        if (retryAfter != null) {
            fields.put("retry_after_ms", retryAfter.toMillis());
        }
        if (fix != null) {
            fields.put("fix_required", fix);
        }
        return fields;
    }
}
