package dev.idem.command;

import dev.idem.LedgerException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The answer of a command: an exit code, fields for programs, text and lines for people. {@link Shape} writes it.
 *
 * <pre>{@code
 * return Answer.no(ExitCode.NOT_FOUND, "NOT_FOUND", "there is no order 7").fix("check the number");
 * }</pre>
 *
 * <p>Not thread-safe: one call builds it and writes it.
 */
public final class Answer {
    private static final String WARNING = "warning: ";

    private final int exit;
    private final @Nullable Map<String, @Nullable Object> error;
    private final List<Map<String, String>> warnings = new ArrayList<>();
    private final List<String> lines = new ArrayList<>();
    private final Map<String, @Nullable Object> meta = new LinkedHashMap<>();
    private @Nullable Map<String, @Nullable Object> data;
    private String text = "";
    private boolean hit;
    private boolean document;
    private boolean summary;
    private @Nullable Boolean partial;

    private Answer(int exit, @Nullable Map<String, @Nullable Object> error) {
        this.exit = exit;
        this.error = error;
    }

    /** Success, with these fields as its data. The map is kept and may get more fields. */
    public static Answer ok(Map<String, @Nullable Object> data) {
        return new Answer(ExitCode.SUCCESS.number(), null).data(data);
    }

    /** Success, with its effect as the first field: {@code created}, {@code noop}, {@code would_update} … */
    public static Answer ok(String effect) {
        return ok(new LinkedHashMap<>()).with("effect", effect);
    }

    /**
     * A failure that may be retried if the table of exit codes says so.
     *
     * @param code a stable word for programs, in capitals
     * @param message one or two sentences for people
     */
    public static Answer no(ExitCode exit, String code, String message) {
        return no(exit.number(), code, message).retryable(exit.retryable());
    }

    /** A failure with the exit code of another program or of a signal. The same call would fail again. */
    public static Answer no(int exit, String code, String message) {
        Map<String, @Nullable Object> error = new LinkedHashMap<>();
        error.put("code", code);
        error.put("message", Printable.writable(message));
        error.put("retryable", false);
        return new Answer(exit, error).line(message);
    }

    /**
     * The failure of a call whose ledger can't be used: exit 12 where the same call may succeed later, else exit 1.
     *
     * @param message is followed by the reason
     */
    public static Answer noLedger(LedgerException why, String message) {
        return noLedger(why.mayTryAgain() ? ExitCode.UNAVAILABLE : ExitCode.GENERAL_ERROR, why, message);
    }

    /** The same with one exit code for both cases. */
    public static Answer noLedger(ExitCode exit, LedgerException why, String message) {
        String code = why.mayTryAgain() ? "LEDGER_UNAVAILABLE" : "LEDGER_UNREADABLE";
        return no(exit, code, message + ": " + why.getMessage()).retryable(why.mayTryAgain());
    }

    /**
     * The answer of a call that a signal ended. Its data says whether it is partial.
     *
     * @param partial whether a part may have been done or written; false if the call had done nothing, or everything
     */
    public static Answer cancelled(int signalExit, boolean partial, String message) {
        Answer answer = no(signalExit, "CANCELLED", message).error("signal", signal(signalExit));
        answer.partial = partial;
        return answer;
    }

    private static @Nullable String signal(int exit) {
        return switch (exit - ExitCode.FIRST_SIGNAL) {
            case 1 -> "SIGHUP";
            case 2 -> "SIGINT";
            case 15 -> "SIGTERM";
            default -> null;
        };
    }

    /** The same answer for a call that a signal ended. Its data still shows the work done before. */
    public Answer endedBySignal(int signalExit) {
        Answer ended = cancelled(signalExit, true, "ended by a signal")
                .fix("look at data.effect for what was done, then make the same call again")
                .text(text);
        ended.data = data;
        return ended;
    }

    /** Gives the answer these fields as its data. The map is kept and may get more fields. */
    public Answer data(@Nullable Map<String, @Nullable Object> fields) {
        data = fields;
        return this;
    }

    /** Adds a field to the data. */
    public Answer with(String name, @Nullable Object value) {
        Map<String, @Nullable Object> fields = data == null ? new LinkedHashMap<>() : data;
        fields.put(name, Printable.writable(value));
        return data(fields);
    }

    /** Whether the identical call may be repeated. True only if nothing happened. */
    public Answer retryable(boolean may) {
        return error("retryable", may);
    }

    /** The time after which a retry makes sense; null if unknown. */
    public Answer retryAfter(@Nullable Duration time) {
        return error("retry_after_ms", time == null ? null : time.toMillis());
    }

    /** The thing that the caller must do first; null if nothing helps. */
    public Answer fix(@Nullable String what) {
        return error("fix_required", what);
    }

    /** A command line that helps with the fix and can be copied unchanged. It is never destructive. */
    public Answer fixCommand(@Nullable String line) {
        return error("fix_command", line);
    }

    /** A hint for the next call. */
    public Answer suggestion(@Nullable String next) {
        return error("suggestion", next);
    }

    /** Adds a field to the error; null adds nothing. Success has no error, and ignores it. */
    public Answer error(String name, @Nullable Object value) {
        if (error != null && value != null) {
            error.put(name, Printable.writable(value));
        }
        return this;
    }

    /** Adds a line for people on stderr. */
    public Answer line(String line) {
        lines.add(line);
        return this;
    }

    /** Sets the text for people on stdout. */
    public Answer text(String given) {
        text = given;
        return this;
    }

    /** Sets a text that a pipe gets too, unless it asks for JSON: help, for instance. */
    public Answer document(String given) {
        document = true;
        return text(given);
    }

    /** Adds a warning for programs, and a line for people. */
    public Answer warn(String code, String message) {
        return note(code, message).line(WARNING + message);
    }

    /** Adds a warning for programs alone. */
    public Answer note(String code, String message) {
        warnings.add(Map.of("code", code, "message", Printable.writable(message)));
        return this;
    }

    /** Marks the answer as the last line of a stream, which counts the lines before it. */
    public Answer summary() {
        summary = true;
        return this;
    }

    /** Removes the lines for people from a success, except for its warnings. */
    public void quiet() {
        if (error == null) {
            lines.removeIf(line -> !line.startsWith(WARNING));
        }
    }

    /** Marks the answer as that of an earlier call. */
    public Answer replayed() {
        return replayed(true);
    }

    /** Sets whether the answer is that of an earlier call; false by default. */
    public Answer replayed(boolean earlier) {
        hit = earlier;
        return this;
    }

    /** Adds a field about the answer itself; null adds nothing. */
    public Answer meta(String name, @Nullable Object value) {
        if (value != null) {
            meta.put(name, Printable.writable(value));
        }
        return this;
    }

    /** Adds the fields that another answer has about itself. */
    public Answer metaOf(Answer other) {
        meta.putAll(other.meta);
        return replayed(other.hit);
    }

    public int exit() {
        return exit;
    }

    public @Nullable Map<String, @Nullable Object> data() {
        return data;
    }

    public String text() {
        return text;
    }

    public boolean isDocument() {
        return document;
    }

    public List<String> lines() {
        return lines;
    }

    /** The fields of the error; null after success. A retryable error has a pause, any other a fix. */
    public @Nullable Map<String, @Nullable Object> error() {
        if (error == null) {
            return null;
        }
        Map<String, @Nullable Object> shown = new LinkedHashMap<>(error);
        shown.keySet().removeAll(mayRetry() ? List.of("fix_required", "fix_command") : List.of("retry_after_ms"));
        return shown;
    }

    /** Whether it is a failure that may be retried. */
    public boolean mayRetry() {
        return error != null && Boolean.TRUE.equals(error.get("retryable"));
    }

    /** The one JSON object that programs get. */
    public Map<String, @Nullable Object> envelope(long durationMillis) {
        Map<String, @Nullable Object> about = new LinkedHashMap<>();
        about.put("exit_code", exit);
        about.put("duration_ms", durationMillis);
        about.put("idempotency_hit", hit);
        about.put("schema_version", Shape.VERSION);
        about.putAll(meta);
        Map<String, @Nullable Object> envelope = new LinkedHashMap<>();
        if (summary) {
            Object count = data == null ? null : data.get("count");
            envelope.put("_summary", true);
            envelope.put("total", count == null ? 0L : count);
            envelope.put("duration_ms", durationMillis);
        }
        envelope.put("ok", exit == ExitCode.SUCCESS.number());
        envelope.put("data", shownData());
        envelope.put("error", error());
        envelope.put("warnings", warnings);
        envelope.put("meta", about);
        return envelope;
    }

    private @Nullable Map<String, @Nullable Object> shownData() {
        if (partial == null) {
            return data;
        }
        Map<String, @Nullable Object> shown = data == null ? new LinkedHashMap<>() : new LinkedHashMap<>(data);
        shown.put("partial", partial);
        return shown;
    }
}
