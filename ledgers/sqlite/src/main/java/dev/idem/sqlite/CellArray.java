package dev.idem.sqlite;

import dev.idem.json.Json;
import org.jspecify.annotations.Nullable;

/**
 * Walks over the cells of a row that came as JSON arrays, one behind the other, of texts, whole numbers and nulls. It is
 * read for every single step of a ledger, so it is read here without making a list of it first.
 */
final class CellArray {
    private final String array;
    private int at = 1;

    CellArray(String array) {
        this.array = array;
        if (array.length() < 2 || array.charAt(0) != '[') {
            throw new IllegalArgumentException("a row is an array");
        }
    }

    String text() {
        String text = textOrNull();
        if (text == null) {
            throw new IllegalArgumentException("a text is missing before position " + at);
        }
        return text;
    }

    @Nullable
    String textOrNull() {
        if (skipNull()) {
            return null;
        }
        if (array.charAt(at) != '"') {
            throw new IllegalArgumentException("no text at position " + at);
        }
        int end = at + 1;
        boolean escaped = false;
        while (array.charAt(end) != '"') {
            boolean escape = array.charAt(end) == '\\';
            escaped |= escape;
            end += escape ? 2 : 1;
        }
        String text = escaped ? String.valueOf(Json.parse(array.substring(at, end + 1))) : array.substring(at + 1, end);
        at = end + 2;
        return text;
    }

    long number() {
        int end = at;
        while (array.charAt(end) != ',' && array.charAt(end) != ']') {
            end++;
        }
        long number = Long.parseLong(array, at, end, 10);
        at = end + 1;
        return number;
    }

    @Nullable
    Long numberOrNull() {
        return skipNull() ? null : (Long) number();
    }

    /** Goes on to the next array, after all cells of this one; false if there is none. */
    boolean nextArray() {
        if (at == array.length()) {
            return false;
        }
        if (array.charAt(at) != '[' || array.charAt(at - 1) != ']') {
            throw new IllegalArgumentException("no array ends before position " + at);
        }
        at++;
        return true;
    }

    /** Nulls at the end of an array are left out. */
    private boolean skipNull() {
        if (at > 1 && array.charAt(at - 1) == ']') {
            return true;
        }
        if (array.charAt(at) != 'n') {
            return false;
        }
        at += "null,".length();
        return true;
    }
}
