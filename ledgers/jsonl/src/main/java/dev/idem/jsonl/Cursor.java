package dev.idem.jsonl;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.zip.CRC32C;

/**
 * Reads the JSON of one line that this ledger has written. Its checksum was found right, so what is read is what was
 * written; whatever does not fit is still refused.
 */
final class Cursor {
    private static final int NANO_DIGITS = 9;

    private final byte[] bytes;
    private final int end;
    private int at;

    Cursor(byte[] bytes, int from, int to) {
        this.bytes = bytes;
        this.at = from;
        this.end = to;
    }

    /** Checks the checksum of a line, which ends where {@code to} says, without its line end; gives the checksum. */
    static int check(CRC32C crc, byte[] bytes, int from, int to) {
        int covered = to - LineBuffer.CHECK_LENGTH;
        if (covered <= from || !matches(bytes, covered, LineBuffer.CHECK)) {
            throw new BadLineException("it does not end with its checksum");
        }
        crc.reset();
        crc.update(bytes, from, covered - from);
        int sum = (int) crc.getValue();
        int digits = covered + LineBuffer.CHECK.length;
        for (int i = 0; i < 8; i++) {
            if (Character.forDigit(sum >>> (28 - 4 * i) & 15, 16) != bytes[digits + i]) {
                throw new BadLineException("its checksum is not that of what stands in it");
            }
        }
        if (bytes[to - 2] != '"' || bytes[to - 1] != '}') {
            throw new BadLineException("it does not end with its checksum");
        }
        return sum;
    }

    static boolean matches(byte[] bytes, int from, byte[] wanted) {
        for (int i = 0; i < wanted.length; i++) {
            if (bytes[from + i] != wanted[i]) {
                return false;
            }
        }
        return true;
    }

    int position() {
        return at;
    }

    /** Steps over the opening brace of the line. */
    Cursor enter() {
        expect('{');
        return this;
    }

    /** The name of the next member, or an empty text where the object ends. */
    String nextName() {
        if (peek() == '}') {
            at++;
            return "";
        }
        accept(',');
        String name = string();
        expect(':');
        return name;
    }

    /** Steps into an array, or over the comma to its next element; false at its end. */
    boolean nextElement() {
        byte b = next();
        if (b == ']') {
            return false;
        } else if (b == '[') {
            if (peek() == ']') {
                at++;
                return false;
            }
        } else if (b != ',') {
            throw unexpected();
        }
        return true;
    }

    String string() {
        expect('"');
        int start = at;
        while (peek() != '"') {
            if (bytes[at] == '\\') {
                return escaped(start);
            }
            at++;
        }
        return new String(bytes, start, at++ - start, StandardCharsets.UTF_8);
    }

    private String escaped(int start) {
        StringBuilder text = new StringBuilder(new String(bytes, start, at - start, StandardCharsets.UTF_8));
        while (peek() != '"') {
            if (bytes[at] == '\\') {
                at++;
                escape(text);
            } else {
                int from = at;
                while (peek() != '"' && bytes[at] != '\\') {
                    at++;
                }
                text.append(new String(bytes, from, at - from, StandardCharsets.UTF_8));
            }
        }
        at++;
        return text.toString();
    }

    private void escape(StringBuilder text) {
        byte kind = next();
        if (kind != 'u') {
            text.append((char) kind);
            return;
        }
        int c = 0;
        for (int i = 0; i < 4; i++) {
            c = c << 4 | Character.digit(next(), 16);
        }
        text.append((char) c);
    }

    long number() {
        int start = at;
        boolean negative = accept('-');
        long number = 0;
        while (isDigit(peek())) {
            number = number * 10 + (bytes[at++] - '0');
        }
        if (at == start || (negative && at == start + 1)) {
            throw unexpected();
        }
        return negative ? -number : number;
    }

    int smallNumber() {
        return Math.toIntExact(number());
    }

    boolean bool() {
        boolean value = peek() == 't';
        skip();
        return value;
    }

    /** Seconds since 1970, with a fraction. */
    Instant time() {
        if (peek() == '-') {
            int start = at;
            skip();
            BigDecimal seconds = new BigDecimal(new String(bytes, start, at - start, StandardCharsets.US_ASCII));
            BigDecimal nanos = seconds.scaleByPowerOfTen(NANO_DIGITS);
            BigDecimal[] parts = nanos.divideAndRemainder(BigDecimal.valueOf(1_000_000_000));
            return Instant.ofEpochSecond(parts[0].longValueExact(), parts[1].longValueExact());
        }
        long seconds = number();
        if (!accept('.')) {
            return Instant.ofEpochSecond(seconds);
        }
        int nano = 0;
        int unit = 100_000_000;
        for (; isDigit(peek()); unit /= 10) {
            nano += (bytes[at++] - '0') * unit;
        }
        return Instant.ofEpochSecond(seconds, nano);
    }

    /** Steps over a value, whatever it is. */
    void skip() {
        int depth = 0;
        do {
            byte b = next();
            if (b == '"') {
                at--;
                skipString();
            } else if (b == '{' || b == '[') {
                depth++;
            } else if (b == '}' || b == ']') {
                depth--;
            } else if (depth == 0) {
                while (!isEnd(peek())) {
                    at++;
                }
            }
        } while (depth > 0);
    }

    private void skipString() {
        expect('"');
        while (peek() != '"') {
            at += bytes[at] == '\\' ? 2 : 1;
        }
        at++;
    }

    boolean accept(char c) {
        if (peek() == c) {
            at++;
            return true;
        }
        return false;
    }

    private void expect(char c) {
        if (!accept(c)) {
            throw unexpected();
        }
    }

    private byte next() {
        byte b = peek();
        at++;
        return b;
    }

    byte peek() {
        if (at >= end) {
            throw new BadLineException("it ends in the middle of a value");
        }
        return bytes[at];
    }

    private static boolean isDigit(byte b) {
        return b >= '0' && b <= '9';
    }

    private static boolean isEnd(byte b) {
        return b == ',' || b == '}' || b == ']';
    }

    private BadLineException unexpected() {
        return new BadLineException("it can't be read beyond its byte " + at);
    }
}
