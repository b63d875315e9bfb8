package dev.idem.jsonl;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.zip.CRC32C;

/** Lines that are being written, each an object whose last member is the checksum of all that stands before it. */
final class LineBuffer {
    /** What follows the part of a line that its checksum is over, up to the eight digits. */
    static final byte[] CHECK = ",\"crc\":\"".getBytes(StandardCharsets.US_ASCII);

    /** The length of the checksum's member, with the brace that ends the line but not the line's end. */
    static final int CHECK_LENGTH = CHECK.length + 8 + 2;

    private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
    private static final int NANO_DIGITS = 9;

    private final CRC32C crc = new CRC32C();
    private final byte[] digits = new byte[20];
    private byte[] bytes = new byte[4096];
    private int size;
    private int lineStart;

    byte[] bytes() {
        return bytes;
    }

    int size() {
        return size;
    }

    /** Takes back what was written after this size. */
    void backTo(int earlier) {
        size = earlier;
        lineStart = earlier;
    }

    /** Adds a line that was written before, with its end. */
    LineBuffer line(byte[] from, int start, int length) {
        raw(from, start, length);
        lineStart = size;
        return this;
    }

    /** Starts a line with its first two members. */
    LineBuffer begin(String id, String state) {
        lineStart = size;
        return ascii("{\"id\":").string(id).name("state").string(state);
    }

    /** Ends a line; gives its checksum. */
    int end() {
        crc.reset();
        crc.update(bytes, lineStart, size - lineStart);
        int sum = (int) crc.getValue();
        raw(CHECK, 0, CHECK.length).hex(sum).ascii("\"}\n");
        lineStart = size;
        return sum;
    }

    /** Starts a further member. */
    LineBuffer name(String name) {
        return ascii(",\"").ascii(name).ascii("\":");
    }

    LineBuffer ascii(String text) {
        room(text.length());
        for (int i = 0; i < text.length(); i++) {
            bytes[size++] = (byte) text.charAt(i);
        }
        return this;
    }

    LineBuffer raw(byte[] from, int start, int length) {
        room(length);
        System.arraycopy(from, start, bytes, size, length);
        size += length;
        return this;
    }

    /** A text in quotes. Half a surrogate pair is written as an escape, so that it comes back as it was. */
    LineBuffer string(String text) {
        room(text.length() * 6 + 2);
        bytes[size++] = '"';
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < ' ') {
                escape(c);
            } else if (c == '"' || c == '\\') {
                bytes[size++] = '\\';
                bytes[size++] = (byte) c;
            } else if (c < 0x80) {
                bytes[size++] = (byte) c;
            } else {
                i += wide(text, i);
            }
        }
        bytes[size++] = '"';
        return this;
    }

    /** Writes a character beyond ASCII; gives how many further chars it took. */
    private int wide(String text, int at) {
        char c = text.charAt(at);
        if (!Character.isSurrogate(c)) {
            if (c >= 0x800) {
                bytes[size++] = (byte) (0xE0 | c >> 12);
                bytes[size++] = (byte) (0x80 | (c >> 6 & 0x3F));
            } else {
                bytes[size++] = (byte) (0xC0 | c >> 6);
            }
            bytes[size++] = (byte) (0x80 | (c & 0x3F));
            return 0;
        }
        int point = text.codePointAt(at);
        if (point == c) {
            escape(c);
            return 0;
        }
        bytes[size++] = (byte) (0xF0 | point >> 18);
        bytes[size++] = (byte) (0x80 | (point >> 12 & 0x3F));
        bytes[size++] = (byte) (0x80 | (point >> 6 & 0x3F));
        bytes[size++] = (byte) (0x80 | (point & 0x3F));
        return 1;
    }

    private void escape(char c) {
        bytes[size++] = '\\';
        bytes[size++] = 'u';
        for (int shift = 12; shift >= 0; shift -= 4) {
            bytes[size++] = HEX[c >> shift & 15];
        }
    }

    LineBuffer number(long number) {
        if (number < 0) {
            return ascii(Long.toString(number));
        }
        int at = digits.length;
        long rest = number;
        do {
            digits[--at] = (byte) ('0' + rest % 10);
            rest /= 10;
        } while (rest != 0);
        return raw(digits, at, digits.length - at);
    }

    /** Seconds since 1970 with as much of a fraction as there is. */
    LineBuffer time(Instant time) {
        if (time.getEpochSecond() < 0) {
            BigDecimal seconds =
                    BigDecimal.valueOf(time.getEpochSecond()).add(BigDecimal.valueOf(time.getNano(), NANO_DIGITS));
            return ascii(seconds.toPlainString());
        }
        number(time.getEpochSecond());
        int nano = time.getNano();
        if (nano == 0) {
            return this;
        }
        room(NANO_DIGITS + 1);
        bytes[size++] = '.';
        for (int unit = 100_000_000; nano != 0; unit /= 10) {
            bytes[size++] = (byte) ('0' + nano / unit);
            nano %= unit;
        }
        return this;
    }

    /** Eight hex digits. */
    LineBuffer hex(int number) {
        room(8);
        for (int shift = 28; shift >= 0; shift -= 4) {
            bytes[size++] = HEX[number >>> shift & 15];
        }
        return this;
    }

    private void room(int more) {
        if (bytes.length - size < more) {
            bytes = Arrays.copyOf(bytes, (int)
                    Math.min(Integer.MAX_VALUE - 8L, Math.max(size + (long) more, size * 2L)));
        }
    }
}
