package dev.idem.json;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes plain JSON values, as {@link JsonValues#of} gives them, in their canonical form and in UTF-8. */
final class CanonicalWriter {
    private byte[] out = new byte[320];
    private int length;

    CanonicalWriter(@Nullable Object plain) {
        value(plain);
    }

    byte[] bytes() {
        return Arrays.copyOf(out, length);
    }

    ByteBuffer buffer() {
        return ByteBuffer.wrap(out, 0, length);
    }

    String text() {
        return new String(out, 0, length, StandardCharsets.UTF_8);
    }

    private void value(@Nullable Object value) {
        if (value instanceof String text) {
            string(text);
        } else if (value instanceof Long integer) {
            integer(integer);
        } else if (value instanceof Boolean truth) {
            ascii(truth ? "true" : "false");
        } else if (value instanceof Number number) {
            ascii(NumberText.canonical(number));
        } else if (value instanceof SortedMembers members) {
            object(members);
        } else if (value instanceof Map<?, ?> map) {
            object(sorted(map));
        } else if (value instanceof List<?> list) {
            array(list);
        } else {
            ascii(String.valueOf(value));
        }
    }

    private void object(SortedMembers members) {
        Layout layout = members.layout();
        if (layout.size() == 0) {
            add('{');
        }
        for (int i = 0; i < layout.size(); i++) {
            byte[] before = layout.before(i);
            if (before != null) {
                append(before);
            } else {
                add(i == 0 ? '{' : ',');
                string(layout.name(i));
                add(':');
            }
            value(members.value(i));
        }
        add('}');
    }

    private static SortedMembers sorted(Map<?, ?> members) {
        String[] names = members.keySet().toArray(String[]::new);
        Layout known = Layout.known(names);
        return new SortedMembers(
                known != null ? known : Layout.of(names), members.values().toArray());
    }

    private void array(List<?> elements) {
        add('[');
        for (int i = 0; i < elements.size(); i++) {
            if (i > 0) {
                add(',');
            }
            value(elements.get(i));
        }
        add(']');
    }

    /** Most strings are ASCII without anything to escape, and copied as they are. */
    private void string(String text) {
        int size = text.length();
        room(size + 2);
        byte[] to = out;
        int start = length + 1;
        for (int i = 0; i < size; i++) {
            char c = text.charAt(i);
            if (c >= 0x7f || JsonWriter.needsEscape(c)) {
                escaped(text);
                return;
            }
            to[start + i] = (byte) c;
        }
        to[start - 1] = '"';
        to[start + size] = '"';
        length = start + size + 1;
    }

    private void escaped(String text) {
        append(JsonWriter.quoted(text).getBytes(StandardCharsets.UTF_8));
    }

    private void integer(long value) {
        if (value < 0) {
            ascii(Long.toString(value));
            return;
        }
        int digits = 1;
        for (long rest = value; rest >= 10; rest /= 10) {
            digits++;
        }
        room(digits);
        length += digits;
        long rest = value;
        for (int i = 1; i <= digits; i++) {
            out[length - i] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
    }

    private void append(byte[] bytes) {
        room(bytes.length);
        System.arraycopy(bytes, 0, out, length, bytes.length);
        length += bytes.length;
    }

    private void ascii(String text) {
        room(text.length());
        for (int i = 0; i < text.length(); i++) {
            out[length++] = (byte) text.charAt(i);
        }
    }

    private void add(char c) {
        room(1);
        out[length++] = (byte) c;
    }

    private void room(int more) {
        if (out.length - length < more) {
            out = Arrays.copyOf(out, Math.max(out.length * 2, Math.addExact(length, more)));
        }
    }
}
