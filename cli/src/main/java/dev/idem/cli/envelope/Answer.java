package dev.idem.cli.envelope;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a command of {@code idem} has to say: an exit code, lines for people, and fields for programs. */
public final class Answer {
    /** The version of the shape below. */
    public static final String SHAPE = "1.16";

    private static final String WARNING = "warning: ";
    private static final List<String> TOP_OF_FLAT = List.of("effect", "reason", "changes");

    private final int exit;
    private final @Nullable Problem problem;
    private final @Nullable Map<String, @Nullable Object> data;
    private final List<Note> warnings = new ArrayList<>();
    private final List<String> lines = new ArrayList<>();
    private final Map<String, Object> meta = new LinkedHashMap<>();
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

    /** The same, ended by a signal: its data still tells what was done until then. */
    public Answer endedBySignal(int signalExit) {
        Problem why = Problem.of("INTERRUPTED", "ended by a signal")
                .withFix("look at data.effect for what was done, then make the same call again");
        return no(signalExit, why, data).text(text);
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
        return line(WARNING + message);
    }

    /** Says nothing for people where all is well; warnings stay. */
    public void quiet() {
        if (problem == null) {
            lines.removeIf(line -> !line.startsWith(WARNING));
        }
    }

    /** The answer is an earlier call's. */
    public Answer replayed() {
        hit = true;
        return this;
    }

    /** Something about the answer itself. */
    public Answer meta(String name, Object value) {
        meta.put(name, value);
        return this;
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

    public List<String> lines() {
        return lines;
    }

    /** The one JSON object. */
    public Map<String, @Nullable Object> envelope(long durationMillis) {
        Map<String, @Nullable Object> envelope = new LinkedHashMap<>();
        envelope.put("ok", exit == Exit.OK);
        envelope.put("data", data);
        envelope.put("error", problem == null ? null : problem.fields());
        List<Map<String, String>> notes = new ArrayList<>();
        for (Note note : warnings) {
            notes.add(Map.of("code", note.code(), "message", note.message()));
        }
        envelope.put("warnings", notes);
        Map<String, @Nullable Object> about = new LinkedHashMap<>();
        about.put("exit_code", exit);
        about.put("duration_ms", durationMillis);
        about.put("idempotency_hit", hit);
        about.put("schema_version", SHAPE);
        about.putAll(meta);
        envelope.put("meta", about);
        return envelope;
    }

    /** The same with effect, reason and changes at the top level, as older readers want it. */
    public Map<String, @Nullable Object> flat(long durationMillis) {
        Map<String, @Nullable Object> envelope = envelope(durationMillis);
        Map<String, @Nullable Object> flat = new LinkedHashMap<>();
        flat.put("ok", envelope.remove("ok"));
        if (data != null) {
            Map<String, @Nullable Object> rest = new LinkedHashMap<>(data);
            for (String name : TOP_OF_FLAT) {
                if (rest.containsKey(name)) {
                    flat.put(name, rest.remove(name));
                }
            }
            envelope.put("data", rest);
        }
        flat.putAll(envelope);
        return flat;
    }
}
