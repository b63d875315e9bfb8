package dev.idem.cli.batch;

import dev.idem.cli.recorded.Text;
import dev.idem.cli.syntax.UsageException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/** Reads text line by line, as it arrives. Skips empty lines. */
final class Lines implements AutoCloseable {
    /** Far more than any system accepts as one argument. */
    private static final int LONGEST = 1024 * 1024;

    private final InputStream in;
    private final byte[] chunk = new byte[64 * 1024];
    private final ByteArrayOutputStream line = new ByteArrayOutputStream(256);
    private int next;
    private int end;
    private long number;

    Lines(InputStream in) {
        this.in = in;
    }

    /**
     * The next non-empty line; null at the end.
     *
     * @throws UsageException if it is not UTF-8, contains a zero byte or is too long
     */
    @Nullable
    String next() throws IOException {
        while (read()) {
            number++;
            String text = text();
            if (!text.isBlank()) {
                return text;
            }
        }
        return null;
    }

    /** Reads up to the end of a line. The last line need not have a line end. */
    private boolean read() throws IOException {
        line.reset();
        while (true) {
            if (next == end && !fill()) {
                return line.size() > 0;
            }
            int from = next;
            while (next < end && chunk[next] != '\n') {
                next++;
            }
            line.write(chunk, from, next - from);
            if (line.size() > LONGEST) {
                throw new UsageException("line " + (number + 1) + " is longer than 1 MiB");
            }
            if (next < end) {
                next++;
                return true;
            }
        }
    }

    private boolean fill() throws IOException {
        next = 0;
        end = Math.max(0, in.read(chunk));
        return end > 0;
    }

    private String text() {
        String text = Text.orNull(line.toByteArray());
        if (text == null || text.indexOf('\0') >= 0) {
            throw new UsageException("line " + number + " is not UTF-8 text without zero bytes");
        }
        return text.endsWith("\r") ? text.substring(0, text.length() - 1) : text;
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
