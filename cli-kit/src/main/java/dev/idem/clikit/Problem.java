package dev.idem.clikit;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Why there is nothing to give, as the {@code error} of the envelope. Immutable. */
final class Problem {
    private final Map<String, @Nullable Object> fields;

    private Problem(Map<String, @Nullable Object> fields) {
        this.fields = fields;
    }

    /**
     * A problem that the identical call would meet again.
     *
     * @param code a stable word for programs
     * @param message one or two sentences for people
     */
    static Problem of(String code, String message) {
        return new Problem(new LinkedHashMap<>())
                .with("code", code)
                .with("message", message)
                .with("retryable", false);
    }

    /** The identical call may simply be made again; only where nothing happened. */
    Problem retryable() {
        return with("retryable", true);
    }

    Problem retryable(boolean may) {
        return with("retryable", may);
    }

    Problem retryAfter(@Nullable Duration time) {
        return time == null ? this : with("retry_after_ms", time.toMillis());
    }

    /** What the caller has to put right first. */
    Problem fixRequired(String what) {
        return with("fix_required", what);
    }

    /** A command that does so; it reads only, or may be run any number of times. */
    Problem fixCommand(@Nullable String line) {
        return line == null ? this : with("fix_command", line);
    }

    Problem suggestion(@Nullable String next) {
        return next == null ? this : with("suggestion", next);
    }

    /** Nothing has happened: it was refused while its arguments were checked. */
    Problem validation() {
        return with("phase", "validation");
    }

    Problem execution() {
        return with("phase", "execution");
    }

    Problem with(String name, @Nullable Object value) {
        Map<String, @Nullable Object> copy = new LinkedHashMap<>(fields);
        copy.put(name, Writable.value(value));
        return new Problem(copy);
    }

    boolean mayRetry() {
        return Boolean.TRUE.equals(fields.get("retryable"));
    }

    String text(String name) {
        return String.valueOf(fields.get(name));
    }

    boolean has(String name) {
        return fields.containsKey(name);
    }

    Map<String, @Nullable Object> fields() {
        return fields;
    }
}
