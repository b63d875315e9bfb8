package dev.idem.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a command of {@code idem} has to say: an exit code, lines for people, and fields for programs. */
final class Answer {
    private final int exit;
    private final @Nullable Problem problem;
    private final @Nullable Map<String, @Nullable Object> data;
    private final List<Note> warnings = new ArrayList<>();
    private final List<String> lines = new ArrayList<>();
    private String text = "";
    private boolean hit;

    /** Something to know although it went well. */
    record Note(String code, String message) {}

    private Answer(int exit, @Nullable Problem problem, @Nullable Map<String, @Nullable Object> data) {
        this.exit = exit;
        this.problem = problem;
        this.data = data;
    }

    static Answer ok(Map<String, @Nullable Object> data) {
        return new Answer(Exit.OK, null, data);
    }

    /** An answer that says why not; its message is the first line for people. */
    static Answer no(int exit, Problem problem, @Nullable Map<String, @Nullable Object> data) {
        return new Answer(exit, problem, data).line(problem.message());
    }

    /** A line for people, on stderr. */
    Answer line(String text) {
        lines.add(text);
        return this;
    }

    /** Text for people, on stdout. */
    Answer text(String given) {
        text = given;
        return this;
    }

    /** A warning for programs, and a line for people. */
    Answer warn(String code, String message) {
        warnings.add(new Note(code, message));
        return line("warning: " + message);
    }

    /** The answer is an earlier call's. */
    Answer replayed() {
        hit = true;
        return this;
    }

    int exit() {
        return exit;
    }

    String text() {
        return text;
    }

    List<String> lines() {
        return lines;
    }

    /** The one JSON object. */
    Map<String, @Nullable Object> envelope(long durationMillis) {
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
