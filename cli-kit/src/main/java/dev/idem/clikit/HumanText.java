package dev.idem.clikit;

import dev.idem.Json;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An answer that went well, in lines for people. */
final class HumanText {
    private HumanText() {}

    static String of(Answer answer) {
        StringBuilder text = new StringBuilder();
        boolean told = answer.reason() != null || !"noop".equals(answer.effect());
        if (answer.effect() != null && told) {
            text.append(answer.effect());
            if (answer.reason() != null) {
                text.append(": ").append(answer.reason());
            }
            text.append('\n');
        }
        List<String> changes = answer.changes();
        if (changes != null) {
            changes.forEach(change -> text.append("  - ").append(change).append('\n'));
        }
        data(text, answer.data());
        return text.toString();
    }

    private static void data(StringBuilder text, @Nullable Object data) {
        if (data instanceof Map<?, ?> fields) {
            fields.forEach((name, value) -> text.append("  ")
                    .append(name)
                    .append(": ")
                    .append(word(value))
                    .append('\n'));
        } else if (data instanceof List<?> items) {
            items.forEach(item -> text.append("  ").append(word(item)).append('\n'));
        } else if (data != null) {
            text.append("  ").append(word(data)).append('\n');
        }
    }

    private static String word(@Nullable Object value) {
        return value instanceof String text ? text : Json.write(value);
    }
}
