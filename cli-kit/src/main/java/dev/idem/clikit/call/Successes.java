package dev.idem.clikit.call;

import dev.idem.Json;
import dev.idem.JsonException;
import dev.idem.command.Answer;
import dev.idem.command.Printable;
import dev.idem.internal.json.JsonValues;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The answers of successful calls: the effect and the command's value. */
final class Successes {
    private Successes() {}

    /**
     * The answer for programs and for people. The effect has happened, so a result without a JSON form is only a
     * warning.
     *
     * @param effect the word for the effect
     * @param changes of a dry run; null for a real run
     */
    static Answer of(
            String effect, @Nullable String reason, @Nullable List<String> changes, @Nullable Object returned) {
        Answer answer = Answer.ok(effect);
        if (reason != null) {
            answer.with("reason", reason);
        }
        if (changes != null) {
            answer.with("changes", changes);
        }
        Object value = null;
        try {
            value = JsonValues.of(returned);
        } catch (JsonException e) {
            answer.warn("NO_JSON_FORM", "the result can't be shown as JSON: " + e.getMessage());
        }
        addTo(answer, value);
        boolean told = reason != null || !effect.equals("noop");
        StringBuilder text = new StringBuilder(told ? effect + (reason == null ? "" : ": " + reason) + "\n" : "");
        (changes == null ? List.<String>of() : changes).forEach(change -> line(text, "- " + change));
        if (value instanceof Map<?, ?> fields) {
            fields.forEach((name, member) -> line(text, name + ": " + word(member)));
        } else if (value instanceof List<?> items) {
            items.forEach(item -> line(text, word(item)));
        } else if (value != null) {
            line(text, word(value));
        }
        return answer.text(Printable.text(text.toString()));
    }

    /** Adds the result to the data. A result that is not an object becomes a field. */
    private static void addTo(Answer answer, @Nullable Object value) {
        if (value instanceof Map<?, ?> fields) {
            fields.forEach((name, member) -> add(answer, (String) name, member));
        } else if (value != null) {
            answer.with(value instanceof List<?> ? "items" : "value", value);
        }
    }

    private static void add(Answer answer, String name, @Nullable Object member) {
        Map<String, @Nullable Object> data = answer.data();
        if (data != null && data.containsKey(name)) {
            answer.warn("FIELD_HIDDEN", "the result has a field '" + name + "' of its own, which is not shown");
        } else {
            answer.with(name, member);
        }
    }

    private static void line(StringBuilder text, String line) {
        text.append("  ").append(line).append('\n');
    }

    private static String word(@Nullable Object value) {
        return value instanceof String text ? text : Json.write(value);
    }
}
