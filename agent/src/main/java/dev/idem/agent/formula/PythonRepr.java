package dev.idem.agent.formula;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Python's {@code repr} of strings, numbers, booleans, None, lists and dicts. */
final class PythonRepr {
    private final StringBuilder out = new StringBuilder();

    private PythonRepr() {}

    /** {@code repr(sorted(dict.items()))}: a list of pairs. */
    static String ofSortedItems(Map<?, ?> dict) {
        PythonRepr repr = new PythonRepr();
        String separator = "[(";
        for (Map.Entry<String, @Nullable Object> item : PythonText.sorted(dict)) {
            repr.out.append(separator);
            repr.string(item.getKey());
            repr.out.append(", ");
            repr.value(item.getValue());
            separator = "), (";
        }
        return repr.out.append(dict.isEmpty() ? "[]" : ")]").toString();
    }

    private void value(@Nullable Object value) {
        if (value == null) {
            out.append("None");
        } else if (value instanceof Boolean bool) {
            out.append(bool ? "True" : "False");
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

    private void list(List<?> list) {
        String separator = "[";
        for (Object element : list) {
            out.append(separator);
            value(element);
            separator = ", ";
        }
        out.append(list.isEmpty() ? "[]" : "]");
    }

    private void dict(Map<?, ?> dict) {
        if (dict.size() > 1) {
            // Python prints a dict in insertion order, which a Map does not keep.
            throw new IllegalArgumentException("A nested dict of " + dict.size()
                    + " items prints in the order it was filled in, so its key can't be known; flatten it");
        }
        out.append('{');
        for (Map.Entry<String, @Nullable Object> item : PythonText.sorted(dict)) {
            string(item.getKey());
            out.append(": ");
            value(item.getValue());
        }
        out.append('}');
    }

    private void string(String text) {
        char quote = text.indexOf('\'') >= 0 && text.indexOf('"') < 0 ? '"' : '\'';
        out.append(quote);
        text.codePoints().forEach(c -> character(c, quote));
        out.append(quote);
    }

    private void character(int c, char quote) {
        switch (c) {
            case '\\' -> out.append("\\\\");
            case '\n' -> out.append("\\n");
            case '\r' -> out.append("\\r");
            case '\t' -> out.append("\\t");
            default -> {
                if (c == quote) {
                    out.append('\\').append(quote);
                } else if (isPrintable(c)) {
                    out.appendCodePoint(c);
                } else {
                    out.append(String.format(c < 0x100 ? "\\x%02x" : c < 0x10000 ? "\\u%04x" : "\\U%08x", c));
                }
            }
        }
    }

    private static boolean isPrintable(int c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.PRIVATE_USE,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> false;
            case Character.SPACE_SEPARATOR -> c == ' ';
            case Character.UNASSIGNED ->
                throw new IllegalArgumentException(String.format(
                        "Whether Python prints U+%04X or escapes it depends on its version; leave it out", c));
            default -> true;
        };
    }
}
