package dev.idem.redis;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Writes texts and numbers behind one another into bytes that grow. */
final class FieldWriter {
    private byte[] bytes;
    private int size;

    FieldWriter(int expected) {
        bytes = new byte[expected];
    }

    FieldWriter raw(int one) {
        room(1);
        bytes[size++] = (byte) one;
        return this;
    }

    FieldWriter raw(byte[] many) {
        room(many.length);
        System.arraycopy(many, 0, bytes, size, many.length);
        size += many.length;
        return this;
    }

    FieldWriter number(long number) {
        room(Long.BYTES);
        for (int shift = 56; shift >= 0; shift -= 8) {
            bytes[size++] = (byte) (number >>> shift);
        }
        return this;
    }

    /** A length and the bytes of the text in UTF-8; null has length 0 and no text one less than told. */
    FieldWriter text(@Nullable String text) {
        if (text == null) {
            return length(0);
        }
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        return length(utf8.length + 1).raw(utf8);
    }

    /** Seven bits a byte, the lowest first; the eighth says that there are more. */
    FieldWriter length(int length) {
        int rest = length;
        while (rest > 0x7F) {
            raw((rest & 0x7F) | 0x80);
            rest >>>= 7;
        }
        return raw(rest);
    }

    byte[] bytes() {
        return size == bytes.length ? bytes : Arrays.copyOf(bytes, size);
    }

    private void room(int more) {
        if (size + more > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(size + more, bytes.length * 2));
        }
    }
}
