package dev.idem.jsonl;

import java.util.zip.CRC32C;

/**
 * The line that ends a batch and vouches for it: what stands before the last good one was written through, or at least
 * written whole.
 *
 * @param number counts the batches of a file, from 1
 * @param lines how many lines the batch has, without this one
 * @param bytes how long they are, with their ends
 * @param high the highest fence that was ever given out
 * @param sum of the checksums of the lines, in order
 */
record Trailer(long number, int lines, int bytes, long high, int sum) {
    void write(LineBuffer out) {
        out.begin("", LineHead.Kind.BATCH.word)
                .name("number")
                .number(number)
                .name("lines")
                .number(lines)
                .name("bytes")
                .number(bytes)
                .name("high")
                .number(high)
                .name("sum")
                .ascii("\"")
                .hex(sum)
                .ascii("\"");
        out.end();
    }

    /**
     * So many empty batches end a file. Whatever stands before them was written through, so that a wrong bit there is
     * damage and not what a crash has left. Two, as one bit can spoil two lines: the end of one is the beginning of the
     * next.
     */
    static final int AT_THE_END = 2;

    /** Ends a batch of no lines. */
    static Trailer empty(long number, long high) {
        return new Trailer(number, 0, 0, high, 0);
    }

    /** Reads one whose checksum was found right, from behind its state. */
    static Trailer read(byte[] line, int from, int to) {
        Cursor in = new Cursor(line, from, to);
        try {
            long number = member(in, "number");
            int lines = Math.toIntExact(member(in, "lines"));
            int bytes = Math.toIntExact(member(in, "bytes"));
            long high = member(in, "high");
            expect(in, "sum");
            return new Trailer(number, lines, bytes, high, Integer.parseUnsignedInt(in.string(), 16));
        } catch (ArithmeticException | NumberFormatException e) {
            throw new BadLineException("it has a number that can't be", e);
        }
    }

    private static long member(Cursor in, String name) {
        expect(in, name);
        return in.number();
    }

    private static void expect(Cursor in, String name) {
        if (!in.nextName().equals(name)) {
            throw new BadLineException("it is the end of a batch and lacks '" + name + "'");
        }
    }

    /** Adds a line's checksum to those of its batch. */
    static void add(CRC32C sums, int sum) {
        for (int shift = 24; shift >= 0; shift -= 8) {
            sums.update(sum >>> shift & 0xFF);
        }
    }
}
