package dev.idem.cli.envelope;

import dev.idem.cli.recorded.Text;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a command of {@code idem} has to say: an exit code, lines for people, and fields for programs. */
public final class Answer {
    private final int exit;
    private final @Nullable Problem problem;
    private final @Nullable Map<String, @Nullable Object> data;
    private final List<Note> warnings = new ArrayList<>();
    private final List<String> lines = new ArrayList<>();
    private String text = "";
    private boolean hit;

    /** Something to know although it went well. */
    public record Note(String code, String message) {}

    private Answer(int exit, @Nullable Problem problem, @Nullable Map<String, @Nullable Object> data) {
        this.exit = exit;
        this.problem = problem;
        this.data = data;
    }

    public static Answer ok(Map<String, @Nullable Object> data) {
        return new Answer(Exit.OK, null, data);
    }

    /** An answer that says why not; its message is the first line for people. */
    public static Answer no(int exit, Problem problem, @Nullable Map<String, @Nullable Object> data) {
        return new Answer(exit, problem, data).line(problem.message());
    }

    /** A line for people, on stderr. */
    public Answer line(String text) {
        lines.add(text);
        return this;
    }

    /** Text for people, on stdout. */
    public Answer text(String given) {
        text = given;
        return this;
    }

    /** A warning for programs, and a line for people. */
    public Answer warn(String code, String message) {
        warnings.add(new Note(code, message));
        return line("warning: " + message);
    }

    /** The answer is an earlier call's. */
    public Answer replayed() {
        hit = true;
        return this;
    }

    public int exit() {
        return exit;
    }

    public String text() {
        return text;
    }

    public List<String> lines() {
        return lines;
    }

    /** The one JSON object. */
    public Map<String, @Nullable Object> envelope(long durationMillis) {
        Map<String, @Nullable Object> envelope = new LinkedHashMap<>();
        envelope.put("ok", exit == Exit.OK);
        envelope.put("data", data);
        envelope.put("error", problem == null ? null : problem.fields());
        envelope.put(
                "warnings",
                warnings.stream()
                        .map(note -> Map.of("code", note.code(), "message", note.message()))
                        .toList());
        Map<String, @Nullable Object> meta = new LinkedHashMap<>();
        meta.put("exit_code", exit);
        meta.put("duration_ms", durationMillis);
        meta.put("idempotency_hit", hit);
        envelope.put("meta", meta);
        return envelope;
    }
}
