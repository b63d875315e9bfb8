package dev.idem.jsonl.line;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * The line that ends a batch and confirms it: everything before the last good trailer was synced, or at least written
 * completely.
 *
 * @param number counts the batches of a file, from 1
 * @param lines how many lines the batch has, without this one
 * @param bytes their total length, with line ends
 * @param high the highest fence that was ever given out
 * @param sum of the checksums of the lines, in order
 */
public record Trailer(long number, int lines, int bytes, long high, int sum) implements Line {
    /**
     * The number of empty batches at the end of a closed file. Everything before them was synced, so a wrong bit there
     * is damage and not the remains of a crash. Two, because one bit can destroy two lines: a line end separates both.
     */
    public static final int AT_THE_END = 2;

    /** Ends a batch of no lines. */
    public static Trailer empty(long number, long high) {
        return new Trailer(number, 0, 0, high, 0);
    }

    public void write(LineBuffer out) {
        out.line(LineWriter.trailer(this));
    }

    /** Adds a line's checksum to those of its batch. */
    public static void add(CRC32C sums, int sum) {
        sums.update(ByteBuffer.allocate(Integer.BYTES).putInt(0, sum));
    }
}
