package dev.idem.agent.formula;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Python's {@code json.dumps(value, sort_keys=True)}, which escapes everything but ASCII. */
final class PythonJson {
    private final String comma;
    private final String colon;
    private final StringBuilder out = new StringBuilder();

    private PythonJson(String comma, String colon) {
        this.comma = comma;
        this.colon = colon;
    }

    /** With Python's usual separators: a space after comma and colon. */
    static String spaced(@Nullable Object value) {
        return new PythonJson(", ", ": ").text(value);
    }

    /** With {@code separators=(",", ":")}. */
    static String compact(@Nullable Object value) {
        return new PythonJson(",", ":").text(value);
    }

    private String text(@Nullable Object value) {
        value(value);
        return out.toString();
    }

    private void value(@Nullable Object value) {
        if (value == null || value instanceof Boolean) {
            out.append(value);
        } else if (value instanceof String text) {
            string(text);
        } else if (value instanceof Number number) {
            out.append(PythonText.number(number));
        } else if (value instanceof Map<?, ?> dict) {
            dict(dict);
        } else if (value instanceof List<?> list) {
            list(list);
        } else {
            throw PythonText.unlisted(value);
        }
    }

    private void dict(Map<?, ?> dict) {
        String separator = "{";
        for (Map.Entry<String, @Nullable Object> item : PythonText.sorted(dict)) {
            out.append(separator);
            string(item.getKey());
            out.append(colon);
            value(item.getValue());
            separator = comma;
        }
        out.append(dict.isEmpty() ? "{}" : "}");
    }

    private void list(List<?> list) {
        String separator = "[";
        for (Object element : list) {
            out.append(separator);
            value(element);
            separator = comma;
        }
        out.append(list.isEmpty() ? "[]" : "]");
    }

    private void string(String text) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"', '\\' -> out.append('\\').append(c);
                case '\b' -> out.append("\\b");
                case '\f' -> out.append("\\f");
                case '\n' -> out.append("\\n");
                case '\r' -> out.append("\\r");
                case '\t' -> out.append("\\t");
                default -> {
                    if (c >= ' ' && c <= '~') {
                        out.append(c);
                    } else {
                        out.append(String.format("\\u%04x", (int) c));
                    }
                }
            }
        }
        out.append('"');
    }
}
