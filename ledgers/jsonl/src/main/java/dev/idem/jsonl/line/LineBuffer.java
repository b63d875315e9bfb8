package dev.idem.jsonl.line;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.zip.CRC32C;

/** Lines to be written. Each is an object whose last member is the checksum of the text before it. */
public final class LineBuffer {
    /** The text between the checked part of a line and the eight digits of its checksum. */
    static final byte[] CHECK = ",\"crc\":\"".getBytes(StandardCharsets.US_ASCII);

    /** The length of the checksum's member, with the brace that ends the line but not the line's end. */
    static final int CHECK_LENGTH = CHECK.length + 8 + 2;

    private final CRC32C crc = new CRC32C();
    private byte[] bytes = new byte[4096];
    private int size;

    public byte[] bytes() {
        return bytes;
    }

    public int size() {
        return size;
    }

    public void clear() {
        size = 0;
    }

    /** Adds a line, given in parts without its closing brace, and returns its checksum. Adds all of it or throws. */
    public int line(byte[]... parts) {
        long length = CHECK_LENGTH + 1L;
        crc.reset();
        for (byte[] part : parts) {
            crc.update(part, 0, part.length);
            length += part.length;
        }
        int sum = (int) crc.getValue();
        byte[] end = (hex(sum) + "\"}\n").getBytes(StandardCharsets.US_ASCII);
        room(length);
        for (byte[] part : parts) {
            raw(part, 0, part.length);
        }
        raw(CHECK, 0, CHECK.length);
        raw(end, 0, end.length);
        return sum;
    }

    /** Adds an existing line with its line end. */
    public void copy(byte[] from, int start, int length) {
        room(length);
        raw(from, start, length);
    }

    static String hex(int sum) {
        return HexFormat.of().toHexDigits(sum);
    }

    private void raw(byte[] from, int start, int length) {
        System.arraycopy(from, start, bytes, size, length);
        size += length;
    }

    private void room(long more) {
        if (bytes.length - size < more) {
            bytes = Arrays.copyOf(bytes, Math.toIntExact(Math.max(size + more, Math.min(size * 2L, 1 << 30))));
        }
    }
}
