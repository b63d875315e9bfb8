package dev.idem.mcp.guard;

import dev.idem.Json;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Finds and replaces one value in the bytes of a JSON object, so that all other bytes stay as they came. The bytes must
 * be strict JSON: they have been parsed before.
 */
public final class Splice {
    private final byte[] json;
    private int at;
    /** Where the name of the member begins that was entered last. */
    private int name;

    private Splice(byte[] json) {
        this.json = json;
    }

    /** The bytes of the value at a path of member names; null where there is none. */
    public static byte @Nullable [] find(byte[] json, String... path) {
        int[] span = new Splice(json).span(path);
        return span == null ? null : Arrays.copyOfRange(json, span[0], span[1]);
    }

    /** The same JSON with another value at the path; unchanged where there is none. */
    public static byte[] replace(byte[] json, String value, String... path) {
        int[] span = new Splice(json).span(path);
        return span == null ? json : replaced(json, span[0], span[1], value);
    }

    /** The same JSON object with one more member, which it must not have yet. */
    public static byte[] add(byte[] object, String name, String value) {
        Splice splice = new Splice(object);
        splice.blanks();
        int start = splice.at + 1;
        splice.at = start;
        splice.blanks();
        boolean empty = object[splice.at] == '}';
        return replaced(object, start, start, quoted(name) + ":" + value + (empty ? "" : ","));
    }

    /** The same JSON without the member at the path; unchanged where there is none. */
    static byte[] remove(byte[] json, String... path) {
        Splice splice = new Splice(json);
        int[] span = splice.span(path);
        if (span == null) {
            return json;
        }
        int from = splice.name;
        splice.blanks();
        if (json[splice.at] == ',') {
            splice.at++;
            splice.blanks();
            return replaced(json, from, splice.at, "");
        }
        // The last member: the comma before it goes too.
        while (json[from - 1] != '{' && json[from - 1] != ',') {
            from--;
        }
        return replaced(json, json[from - 1] == ',' ? from - 1 : from, span[1], "");
    }

    /** The same JSON with one more element at the end of the list at the path; unchanged where there is none. */
    static byte[] append(byte[] json, String element, String... path) {
        int[] span = new Splice(json).span(path);
        if (span == null || json[span[0]] != '[') {
            return json;
        }
        int end = span[1] - 1;
        int last = end - 1;
        while (" \t\r\n".indexOf(json[last]) >= 0) {
            last--;
        }
        return replaced(json, end, end, (last == span[0] ? "" : ",") + element);
    }

    static String quoted(String text) {
        return Json.write(text);
    }

    private static byte[] replaced(byte[] json, int from, int to, String value) {
        byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
        byte[] all = new byte[json.length - (to - from) + bytes.length];
        System.arraycopy(json, 0, all, 0, from);
        System.arraycopy(bytes, 0, all, from, bytes.length);
        System.arraycopy(json, to, all, from + bytes.length, json.length - to);
        return all;
    }

    private int @Nullable [] span(String... path) {
        blanks();
        for (String wanted : path) {
            if (at >= json.length || json[at] != '{' || !enter(wanted)) {
                return null;
            }
        }
        int start = at;
        skip();
        return new int[] {start, at};
    }

    /** Goes to the value of a member of the object that begins here. */
    private boolean enter(String wanted) {
        at++;
        for (blanks(); json[at] != '}'; blanks()) {
            if (json[at] == ',') {
                at++;
                blanks();
            }
            int start = at;
            skip();
            boolean found = wanted.equals(Json.parse(Arrays.copyOfRange(json, start, at)));
            blanks();
            at++; // the colon
            blanks();
            if (found) {
                name = start;
                return true;
            }
            skip();
        }
        return false;
    }

    private void blanks() {
        while (at < json.length && (json[at] == ' ' || json[at] == '\t' || json[at] == '\n' || json[at] == '\r')) {
            at++;
        }
    }

    /** Skips the value that begins here. */
    private void skip() {
        int depth = 0;
        do {
            byte next = json[at];
            if (next == '"') {
                text();
            } else if (next == '{' || next == '[') {
                depth++;
                at++;
            } else if (next == '}' || next == ']') {
                depth--;
                at++;
            } else if (depth > 0 && (next == ',' || next == ':')) {
                at++;
            } else {
                literal();
            }
            if (depth > 0) {
                blanks();
            }
        } while (depth > 0);
    }

    private void text() {
        for (at++; json[at] != '"'; at++) {
            if (json[at] == '\\') {
                at++;
            }
        }
        at++;
    }

    private void literal() {
        while (at < json.length && ",:]} \t\r\n".indexOf(json[at]) < 0) {
            at++;
        }
    }
}
