package dev.idem.redis;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Reads what {@link FieldWriter} wrote. */
final class FieldReader {
    private final byte[] bytes;
    private final int end;
    private int at;

    FieldReader(byte[] bytes, int from, int end) {
        if (from < 0 || end < from || end > bytes.length) {
            throw new IllegalArgumentException("it is cut off");
        }
        this.bytes = bytes;
        this.at = from;
        this.end = end;
    }

    boolean atEnd() {
        return at == end;
    }

    byte raw() {
        need(1);
        return bytes[at++];
    }

    byte[] raw(int length) {
        need(length);
        at += length;
        return Arrays.copyOfRange(bytes, at - length, at);
    }

    byte[] rest() {
        return raw(end - at);
    }

    long number() {
        need(Long.BYTES);
        long number = 0;
        for (int i = 0; i < Long.BYTES; i++) {
            number = (number << 8) | (bytes[at++] & 0xFF);
        }
        return number;
    }

    int length() {
        int length = 0;
        for (int shift = 0; shift < 35; shift += 7) {
            byte one = raw();
            length |= (one & 0x7F) << shift;
            if (one >= 0) {
                return length;
            }
        }
        throw new IllegalArgumentException("no length before position " + at);
    }

    @Nullable
    String textOrNull() {
        int length = length() - 1;
        if (length < 0) {
            return null;
        }
        need(length);
        at += length;
        return new String(bytes, at - length, length, StandardCharsets.UTF_8);
    }

    String text() {
        String text = textOrNull();
        if (text == null) {
            throw new IllegalArgumentException("a text is missing before position " + at);
        }
        return text;
    }

    private void need(int length) {
        if (length < 0 || length > end - at) {
            throw new IllegalArgumentException("it is cut off at position " + at);
        }
    }
}
