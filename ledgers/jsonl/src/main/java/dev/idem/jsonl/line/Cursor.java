package dev.idem.jsonl.line;

import dev.idem.Json;
import dev.idem.JsonException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Reads the members of one line, which are always in the same order. The line's checksum is valid, so the line is as it
 * was written; an unexpected member is still refused.
 */
final class Cursor {
    private final byte[] bytes;
    private final int end;
    private int at;

    /** {@code to} is the end of the line, without its line end. */
    Cursor(byte[] bytes, int from, int to) {
        this.bytes = bytes;
        this.at = from;
        this.end = to;
    }

    int position() {
        return at;
    }

    /** Moves to the value of the next member, if it has this name. */
    boolean accept(String name) {
        int length = name.length();
        if (at + length + 4 > end || bytes[at + 1] != '"' || bytes[at + 2 + length] != '"') {
            return false;
        }
        for (int i = 0; i < length; i++) {
            if (bytes[at + 2 + i] != name.charAt(i)) {
                return false;
            }
        }
        at += length + 4;
        return true;
    }

    private void require(String name) {
        if (!accept(name)) {
            throw new BadLineException("it has no '" + name + "' where this format has it");
        }
    }

    String text(String name) {
        require(name);
        return string();
    }

    @Nullable
    String optionalText(String name) {
        return accept(name) ? string() : null;
    }

    long number(String name) {
        require(name);
        int from = at;
        while (at < end && bytes[at] != ',' && bytes[at] != '}') {
            at++;
        }
        return Long.parseLong(new String(bytes, from, at - from, StandardCharsets.US_ASCII));
    }

    long optionalNumber(String name) {
        int before = at;
        if (!accept(name)) {
            return 0;
        }
        at = before;
        return number(name);
    }

    /** Skips an object and returns its start. */
    int object(String name) {
        require(name);
        int from = at;
        int depth = 0;
        do {
            byte b = peek();
            if (b == '"') {
                stringEnd();
            } else {
                depth += b == '{' ? 1 : b == '}' ? -1 : 0;
                at++;
            }
        } while (depth > 0);
        return from;
    }

    private String string() {
        int from = at;
        if (!stringEnd()) {
            return new String(bytes, from + 1, at - from - 2, StandardCharsets.UTF_8);
        }
        try {
            return String.valueOf(Json.parse(new String(bytes, from, at - from, StandardCharsets.UTF_8)));
        } catch (JsonException e) {
            throw new BadLineException("it has an invalid text", e);
        }
    }

    /** Skips a string; returns whether it contains an escape. */
    private boolean stringEnd() {
        boolean escaped = false;
        for (at++; peek() != '"'; at++) {
            if (bytes[at] == '\\') {
                escaped = true;
                at++;
            }
        }
        at++;
        return escaped;
    }

    private byte peek() {
        if (at >= end) {
            throw new BadLineException("it ends in the middle of a value");
        }
        return bytes[at];
    }
}
