package dev.idem.clikit;

import dev.idem.JsonException;
import dev.idem.internal.json.JsonValues;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a command has to say, before it takes a shape. */
final class Answer {
    private final int exit;
    private final @Nullable Problem problem;
    private final Map<String, @Nullable Object> meta = new LinkedHashMap<>();
    private final List<Map<String, String>> warnings = new ArrayList<>();
    private @Nullable String effect;
    private @Nullable String reason;
    private @Nullable List<String> changes;
    private @Nullable Object data;
    private @Nullable String text;

    private Answer(int exit, @Nullable Problem problem) {
        this.exit = exit;
        this.problem = problem;
    }

    /** It went well. */
    static Answer ok() {
        return new Answer(ExitCode.SUCCESS.number(), null);
    }

    /** It did not. */
    static Answer no(ExitCode exit, Problem problem) {
        return no(exit.number(), problem);
    }

    static Answer no(int exit, Problem problem) {
        return new Answer(exit, problem);
    }

    Answer effect(String word, @Nullable String why) {
        effect = word;
        reason = why == null ? null : Writable.text(why);
        return this;
    }

    Answer changes(List<String> sentences) {
        changes = sentences.stream().map(Writable::text).toList();
        return this;
    }

    /** What the command gave. The effect has happened, so what has no JSON form costs a warning and nothing else. */
    Answer data(@Nullable Object value) {
        try {
            data = JsonValues.of(value);
        } catch (JsonException e) {
            warn("NO_JSON_FORM", "the result can't be shown as JSON: " + e.getMessage());
        }
        return this;
    }

    /** What stands in place of the envelope's fields for people at a terminal. */
    Answer text(String given) {
        text = given;
        return this;
    }

    Answer warn(String code, String message) {
        warnings.add(Map.of("code", code, "message", Writable.text(message)));
        return this;
    }

    Answer meta(String name, @Nullable Object value) {
        if (value != null) {
            meta.put(name, Writable.value(value));
        }
        return this;
    }

    int exit() {
        return exit;
    }

    @Nullable
    Problem problem() {
        return problem;
    }

    @Nullable
    String effect() {
        return effect;
    }

    @Nullable
    String reason() {
        return reason;
    }

    @Nullable
    List<String> changes() {
        return changes;
    }

    @Nullable
    Object data() {
        return data;
    }

    @Nullable
    String text() {
        return text;
    }

    List<Map<String, String>> warnings() {
        return warnings;
    }

    Map<String, @Nullable Object> meta() {
        return meta;
    }
}
