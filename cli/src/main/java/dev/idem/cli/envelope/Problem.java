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
 * @param fixCommand a line that helps with that and changes nothing; null when there is none
 * @param suggestion what to do next; null when the message says it all
 */
public record Problem(
        String code,
        String message,
        boolean retryable,
        @Nullable Duration retryAfter,
        @Nullable String fix,
        @Nullable String fixCommand,
        @Nullable String suggestion) {

    public static Problem of(String code, String message) {
        return new Problem(code, message, false, null, null, null, null);
    }

    public static Problem retryable(String code, String message) {
        return new Problem(code, message, true, null, null, null, null);
    }

    /** A problem that passes or does not. */
    public static Problem of(String code, String message, boolean retryable) {
        return new Problem(code, message, retryable, null, null, null, null);
    }

    public Problem withFix(String what) {
        return new Problem(code, message, retryable, retryAfter, what, fixCommand, suggestion);
    }

    /** A line that can be typed as it is; never one that destroys something. */
    public Problem withFixCommand(String line) {
        return new Problem(code, message, retryable, retryAfter, fix, line, suggestion);
    }

    public Problem withSuggestion(String next) {
        return new Problem(code, message, retryable, retryAfter, fix, fixCommand, next);
    }

    public Problem withRetryAfter(Duration time) {
        return new Problem(code, message, retryable, time, fix, fixCommand, suggestion);
    }

    public Map<String, @Nullable Object> fields() {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("code", code);
        fields.put("message", message);
        fields.put("retryable", retryable);
        put(fields, "retry_after_ms", retryable && retryAfter != null ? retryAfter.toMillis() : null);
        put(fields, "fix_required", retryable ? null : fix);
        put(fields, "fix_command", retryable ? null : fixCommand);
        put(fields, "suggestion", suggestion);
        return fields;
    }

    private static void put(Map<String, @Nullable Object> fields, String name, @Nullable Object value) {
        if (value != null) {
            fields.put(name, value);
        }
    }
}
