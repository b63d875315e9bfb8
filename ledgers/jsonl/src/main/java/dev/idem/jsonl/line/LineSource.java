package dev.idem.jsonl.line;

import dev.idem.jsonl.disk.Disk;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/** Iterates over the lines of a part of a file. The current line is a range of the buffer. */
public final class LineSource {
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long ONES = 0x0101010101010101L;
    private static final long ENDS = ONES * '\n';
    private static final int CHUNK = 1 << 20;
    private static final int SMALLEST = 1 << 9;

    private final Disk.OpenFile file;
    private final long to;
    private byte[] bytes;
    /** The offset of the buffer in the file, and its filled length. */
    private long bufferAt;

    private int filled;
    private int start;
    private int end;
    private int next;
    private boolean whole;

    public LineSource(Disk.OpenFile file, long from, long to) {
        this.file = file;
        this.bufferAt = from;
        this.to = to;
        this.bytes = new byte[(int) Math.max(SMALLEST, Math.min(CHUNK, to - from))];
    }

    /** Moves to the next line; false if there is none. */
    public boolean next() throws IOException {
        start = next;
        int searched = start;
        while (true) {
            end = lineEnd(searched);
            if (end >= 0) {
                next = end + 1;
                whole = true;
                return true;
            }
            searched = filled - start;
            if (!fill()) {
                end = filled;
                next = filled;
                whole = false;
                return end > start;
            }
        }
    }

    /** Moves to another offset, where the next line begins. */
    public void seek(long at) {
        if (at >= bufferAt && at <= bufferAt + filled) {
            next = (int) (at - bufferAt);
        } else {
            bufferAt = at;
            filled = 0;
            next = 0;
        }
    }

    public byte[] bytes() {
        return bytes;
    }

    public int start() {
        return start;
    }

    /** The end of the line in the buffer, without its line end. */
    public int end() {
        return end;
    }

    /** The length of the line, with its line end. */
    public int length() {
        return end - start + (whole ? 1 : 0);
    }

    /** The offset of the line in the file. */
    public long offset() {
        return bufferAt + start;
    }

    /** Whether the line has a line end. */
    public boolean whole() {
        return whole;
    }

    /** Keeps the partly read line and reads more; false at the end. */
    private boolean fill() throws IOException {
        int kept = filled - start;
        if (start > 0) {
            System.arraycopy(bytes, start, bytes, 0, kept);
            bufferAt += start;
            start = 0;
            filled = kept;
        }
        if (filled == bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.multiplyExact(bytes.length, 2));
        }
        long left = to - bufferAt - filled;
        int wanted = (int) Math.min(left, bytes.length - filled);
        int read = wanted <= 0 ? 0 : file.read(bufferAt + filled, bytes, filled, wanted);
        filled += read;
        return read > 0;
    }

    /** Checks eight bytes at once: XOR turns a line end into zero, and subtracting one finds the first zero byte. */
    private int lineEnd(int from) {
        int at = from;
        for (; at + 8 <= filled; at += 8) {
            long word = (long) LONG.get(bytes, at) ^ ENDS;
            long found = word - ONES & ~word & (ONES << 7);
            if (found != 0) {
                return at + (Long.numberOfTrailingZeros(found) >>> 3);
            }
        }
        for (; at < filled; at++) {
            if (bytes[at] == '\n') {
                return at;
            }
        }
        return -1;
    }
}
