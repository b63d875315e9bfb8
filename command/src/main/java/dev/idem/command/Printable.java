package dev.idem.command;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes foreign text safe for a terminal: keys, labels, messages of exceptions and output of commands may contain
 * escape sequences that colour, move or overwrite the text on the screen. Such characters are shown by their number.
 */
public final class Printable {
    private Printable() {}

    /** The text on one line: line breaks and tabs are shown as {@code \n} and {@code \t}. */
    public static String line(String text) {
        return printable(text, false);
    }

    /** The text with its line breaks and tabs. */
    public static String text(String text) {
        return printable(text, true);
    }

    /** The text with a question mark for each lone surrogate, which UTF-8 can't encode. */
    static String writable(String text) {
        return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
    }

    /** The same for a value that may be a text or a list of texts. */
    static @Nullable Object writable(@Nullable Object value) {
        if (value instanceof String text) {
            return writable(text);
        }
        return value instanceof List<?> items
                ? items.stream().map(Printable::writable).toList()
                : value;
    }

    private static String printable(String text, boolean breaks) {
        int at = 0;
        while (at < text.length() && isPlain(text.charAt(at), breaks)) {
            at++;
        }
        if (at == text.length()) {
            return text;
        }
        StringBuilder safe = new StringBuilder(text.length() + 16).append(text, 0, at);
        for (int i = at; i < text.length(); i++) {
            char c = text.charAt(i);
            if (isPlain(c, breaks)) {
                safe.append(c);
            } else if (c == '\n' || c == '\t') {
                safe.append(c == '\n' ? "\\n" : "\\t");
            } else {
                safe.append(String.format("\\u%04x", (int) c));
            }
        }
        return safe.toString();
    }

    private static boolean isPlain(char c, boolean breaks) {
        if (c >= ' ' && c < 0x7F) {
            return true;
        } else if (c == '\n' || c == '\t') {
            return breaks;
        }
        return !Character.isISOControl(c) && !reorders(c) && c != '\u2028' && c != '\u2029';
    }

    /** Marks that change the direction of writing: they make a terminal show words in another order. */
    private static boolean reorders(char c) {
        return (c >= '\u202A' && c <= '\u202E') || (c >= '\u2066' && c <= '\u2069');
    }
}
