package dev.idem.internal.json;

import dev.idem.JsonException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Writes plain JSON values, as {@link JsonValues#of} gives them, without whitespace; as they are, or in canonical form. */
public final class JsonWriter {
    private static final char[] HEX = "0123456789abcdef".toCharArray();

    /** Of all numbers in a canonical text: 1e999 is two hundred times as long there. The packages have the same number. */
    private static final int MOST_FILLING = 100_000;

    private final StringBuilder out = new StringBuilder(256);
    private final boolean canonical;
    private int filling;

    /** With {@code canonical}, names are sorted and numbers written by RFC 8785. */
    public JsonWriter(boolean canonical) {
        this.canonical = canonical;
    }

    /** A string in quotes, escaped as little as RFC 8785 allows. */
    static String quoted(String text) {
        JsonWriter writer = new JsonWriter(false);
        writer.string(text);
        return writer.out.toString();
    }

    public String text(@Nullable Object plain) {
        value(plain);
        return out.toString();
    }

    /**
     * Adds a member to the object that {@link #object()} gives; nothing where the value is null.
     *
     * @param name of characters that need no escape
     */
    public JsonWriter member(String name, @Nullable Object plain) {
        if (plain != null) {
            out.append(out.isEmpty() ? "{\"" : ",\"").append(name).append("\":");
            value(plain);
        }
        return this;
    }

    /** The object of the members that were added, of which there is at least one. */
    public String object() {
        return out.append('}').toString();
    }

    private void value(@Nullable Object value) {
        if (value instanceof String text) {
            string(text);
        } else if (value instanceof Long integer) {
            out.append(integer.longValue());
        } else if (value instanceof Number number) {
            out.append(canonical ? canonical(number) : NumberText.faithful(number));
        } else if (value instanceof Map<?, ?> map) {
            object(canonical ? new TreeMap<>(map) : map);
        } else if (value instanceof List<?> list) {
            array(list);
        } else {
            out.append(value);
        }
    }

    private String canonical(Number number) {
        String text = NumberText.canonical(number);
        filling += NumberText.filling(number, text);
        if (filling > MOST_FILLING) {
            throw new JsonException(
                    "$",
                    "its numbers have more than " + MOST_FILLING
                            + " zeros when they are written without exponents; give them as texts");
        }
        return text;
    }

    private void object(Map<?, ?> members) {
        out.append('{');
        char separator = 0;
        for (Map.Entry<?, ?> member : members.entrySet()) {
            separator = separate(separator);
            string((String) member.getKey());
            out.append(':');
            value(member.getValue());
        }
        out.append('}');
    }

    private void array(List<?> elements) {
        out.append('[');
        char separator = 0;
        for (Object element : elements) {
            separator = separate(separator);
            value(element);
        }
        out.append(']');
    }

    private char separate(char separator) {
        if (separator != 0) {
            out.append(separator);
        }
        return ',';
    }

    private void string(String text) {
        int first = 0;
        while (first < text.length() && !needsEscape(text.charAt(first))) {
            first++;
        }
        out.append('"');
        if (first == text.length()) {
            out.append(text);
        } else {
            escaped(text, first);
        }
        out.append('"');
    }

    private void escaped(String text, int first) {
        out.append(text, 0, first);
        for (int i = first; i < text.length(); i++) {
            char c = text.charAt(i);
            if (needsEscape(c)) {
                escape(c);
            } else {
                out.append(c);
            }
        }
    }

    static boolean needsEscape(char c) {
        return c < ' ' || c == '"' || c == '\\';
    }

    private void escape(char c) {
        switch (c) {
            case '"', '\\' -> out.append('\\').append(c);
            case '\b' -> out.append("\\b");
            case '\f' -> out.append("\\f");
            case '\n' -> out.append("\\n");
            case '\r' -> out.append("\\r");
            case '\t' -> out.append("\\t");
            default -> out.append("\\u00").append(HEX[c >> 4]).append(HEX[c & 15]);
        }
    }
}
