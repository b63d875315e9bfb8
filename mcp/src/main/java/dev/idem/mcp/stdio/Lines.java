package dev.idem.mcp.stdio;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Reads lines of bytes. Empty lines are left out. */
public final class Lines {
    private static final int BEGINNING = 64 * 1024;

    private final InputStream in;
    private final int longest;

    public Lines(InputStream in, int longest) {
        this.in = new BufferedInputStream(in, 64 * 1024);
        this.longest = longest;
    }

    /**
     * The next line without its end; null at the end of the stream. A last line without an end was cut off and is left
     * out.
     *
     * @throws TooLong for a line over the limit; the next call reads the line after it
     */
    public byte @Nullable [] next() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        long length = 0;
        for (int next = in.read(); next >= 0; next = in.read()) {
            if (next != '\n') {
                if (++length <= longest) {
                    line.write(next);
                }
            } else if (length > longest) {
                throw new TooLong(longest, Arrays.copyOf(line.toByteArray(), Math.min(longest, BEGINNING)));
            } else if (!isBlank(line)) {
                return withoutCarriageReturn(line.toByteArray());
            } else {
                line.reset();
                length = 0;
            }
        }
        return null;
    }

    private static boolean isBlank(ByteArrayOutputStream line) {
        return line.size() == 0 || (line.size() == 1 && line.toByteArray()[0] == '\r');
    }

    private static byte[] withoutCarriageReturn(byte[] line) {
        int end = line.length;
        return line[end - 1] == '\r' ? Arrays.copyOf(line, end - 1) : line;
    }

    /** A line over the limit. */
    public static final class TooLong extends IOException {
        private static final long serialVersionUID = 1;

        private final transient byte[] beginning;

        TooLong(int longest, byte[] beginning) {
            super("a message has more than " + longest + " bytes");
            this.beginning = beginning;
        }

        public byte[] beginning() {
            return beginning;
        }
    }
}
