package dev.idem.sqlite;

import dev.idem.json.Json;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Writes cells that {@link CellArray} reads: one JSON array of texts, whole numbers and nulls. */
final class CellWriter {
    private static final String NONE = "null,";

    private final StringBuilder array;

    /** Made for about that many characters. */
    CellWriter(int length) {
        array = new StringBuilder(length).append('[');
    }

    CellWriter number(long number) {
        array.append(number).append(',');
        return this;
    }

    CellWriter number(@Nullable Long number) {
        return number == null ? none() : number(number.longValue());
    }

    CellWriter text(@Nullable String text) {
        if (text == null) {
            return none();
        }
        if (isPlain(text)) {
            array.append('"').append(text).append('"').append(',');
        } else {
            // Half a surrogate pair, which is no text, becomes a question mark.
            String whole = new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
            array.append(Json.write(whole)).append(',');
        }
        return this;
    }

    private CellWriter none() {
        array.append(NONE);
        return this;
    }

    /** The array. Nulls at its end are left out. */
    String end() {
        while (array.length() > NONE.length() + 1 && array.lastIndexOf(NONE) == array.length() - NONE.length()) {
            array.setLength(array.length() - NONE.length());
        }
        array.setCharAt(array.length() - 1, ']');
        return array.toString();
    }

    private static boolean isPlain(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < ' ' || c == '"' || c == '\\' || c > '~') {
                return false;
            }
        }
        return true;
    }
}
