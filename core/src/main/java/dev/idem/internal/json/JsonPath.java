package dev.idem.internal.json;

import dev.idem.JsonException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The current position in a JSON document; becomes text only for an error. */
final class JsonPath {
    static final int MAX_DEPTH = 1000;
    private static final int SHOWN_AT_EACH_END = 10;
    private static final int SHOWN_OF_A_NAME = 60;

    private @Nullable String[] names = new String[8];
    private int[] indexes = new int[8];
    private int depth;

    /** Enters an object or array. Returns false, without entering, at the maximum depth. */
    boolean descend() {
        if (depth == MAX_DEPTH) {
            return false;
        }
        if (depth == indexes.length) {
            names = Arrays.copyOf(names, depth * 2);
            indexes = Arrays.copyOf(indexes, depth * 2);
        }
        names[depth] = null;
        indexes[depth] = -1;
        depth++;
        return true;
    }

    void at(String name) {
        names[depth - 1] = name;
    }

    void at(int index) {
        indexes[depth - 1] = index;
    }

    void ascend() {
        depth--;
    }

    JsonException error(String problem) {
        return new JsonException(toString(), problem);
    }

    JsonException error(String problem, @Nullable Throwable cause) {
        return new JsonException(toString(), problem, cause);
    }

    JsonException tooDeep() {
        return error("nested more than " + MAX_DEPTH
                + " levels deep; flatten the value (a value that contains itself has no JSON form)");
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("$");
        for (int i = 0; i < depth; i++) {
            if (i == SHOWN_AT_EACH_END && depth > 2 * SHOWN_AT_EACH_END) {
                text.append(" … ");
                i = depth - SHOWN_AT_EACH_END;
            }
            appendStep(text, i);
        }
        return text.toString();
    }

    private void appendStep(StringBuilder text, int level) {
        String name = names[level];
        if (name != null) {
            appendName(text, name);
        } else if (indexes[level] >= 0) {
            text.append('[').append(indexes[level]).append(']');
        }
    }

    private static void appendName(StringBuilder text, String name) {
        if (isIdentifier(name)) {
            text.append('.').append(name);
            return;
        }
        text.append("[\"");
        int shown = Math.min(name.length(), SHOWN_OF_A_NAME);
        for (int i = 0; i < shown; i++) {
            char c = name.charAt(i);
            if (c == '"' || c == '\\') {
                text.append('\\').append(c);
            } else if (c < ' ' || Character.isSurrogate(c)) {
                text.append(String.format("\\u%04x", (int) c));
            } else {
                text.append(c);
            }
        }
        text.append(shown < name.length() ? "…\"]" : "\"]");
    }

    private static boolean isIdentifier(String name) {
        if (name.isEmpty() || name.length() > SHOWN_OF_A_NAME) {
            return false;
        }
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            boolean letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
            if (!letter && (i == 0 || c < '0' || c > '9')) {
                return false;
            }
        }
        return true;
    }
}
