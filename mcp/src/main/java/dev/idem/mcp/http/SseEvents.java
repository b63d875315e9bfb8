package dev.idem.mcp.http;

import dev.idem.mcp.guard.Message;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Reads server-sent events. An event that was cut off at the end of the stream is left out. */
public final class SseEvents implements AutoCloseable {
    private static final int LONGEST_EVENT = 256 * 1024 * 1024;
    private static final int LONGEST_PAUSE = 10_000;

    private final InputStream in;
    private boolean begun;
    private boolean afterReturn;
    private @Nullable String nextId;
    private @Nullable String lastId;
    private int pause = 1000;

    public SseEvents(InputStream in) {
        this.in = new BufferedInputStream(in, 64 * 1024);
    }

    /** The events of a stream that goes on where this one was cut. */
    SseEvents goneOn(InputStream next) {
        SseEvents events = new SseEvents(next);
        events.lastId = lastId;
        events.nextId = lastId;
        events.pause = pause;
        return events;
    }

    @Override
    public void close() throws IOException {
        in.close();
    }

    /**
     * An event.
     *
     * @param raw its lines as they came, with the blank line that ends it
     * @param data its data; empty for a comment and for an event that only names an id
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record Event(byte[] raw, byte[] data) {}

    /** The event with a message of JSON-RPC. */
    static byte[] of(byte[] message) {
        String data = new String(withoutLineEnds(message), StandardCharsets.UTF_8);
        return ("event: message\ndata: " + data + "\n\n").getBytes(StandardCharsets.UTF_8);
    }

    /** The same JSON in one line. Ends of lines are only allowed between values, where a blank means the same. */
    public static byte[] withoutLineEnds(byte[] json) {
        byte[] line = json.clone();
        for (int i = 0; i < line.length; i++) {
            line[i] = line[i] == '\n' || line[i] == '\r' ? (byte) ' ' : line[i];
        }
        return line;
    }

    /** The id by which the stream can be taken up again; null where there is none. */
    @Nullable
    String lastId() {
        return lastId;
    }

    /** How long to wait before the stream is taken up again, in milliseconds. */
    int pause() {
        return pause;
    }

    /** The next event; null at the end of the stream. */
    @Nullable
    public Event next() throws IOException {
        ByteArrayOutputStream raw = new ByteArrayOutputStream();
        ByteArrayOutputStream data = new ByteArrayOutputStream();
        for (String line = line(); line != null; line = line()) {
            raw.write(line.getBytes(StandardCharsets.ISO_8859_1));
            raw.write('\n');
            if (line.isEmpty()) {
                // Only a whole event counts: a cut one is sent again.
                lastId = nextId;
                return new Event(raw.toByteArray(), data.toByteArray());
            } else if (raw.size() > LONGEST_EVENT) {
                throw new IOException("an event has more than " + LONGEST_EVENT + " bytes");
            }
            field(line, data);
        }
        return isWhole(data.toByteArray()) ? new Event(raw.toByteArray(), data.toByteArray()) : null;
    }

    /** Some servers leave out the blank line after the last event. */
    private static boolean isWhole(byte[] data) {
        return data.length > 0 && Message.ofServer(data) != null;
    }

    private void field(String line, ByteArrayOutputStream data) {
        int colon = line.indexOf(':');
        String name = colon < 0 ? line : line.substring(0, colon);
        String value = colon < 0 ? "" : line.substring(colon + 1);
        value = value.startsWith(" ") ? value.substring(1) : value;
        switch (name) {
            case "data" -> {
                // Lines of data are parts of one JSON text, so a blank may stand between them.
                byte[] bytes = (data.size() == 0 ? value : " " + value).getBytes(StandardCharsets.ISO_8859_1);
                data.write(bytes, 0, bytes.length);
            }
            case "id" -> nextId = value.isEmpty() || value.indexOf(0) >= 0 ? null : value;
            case "retry" ->
                pause = value.matches("[0-9]{1,9}") ? Math.min(Integer.parseInt(value), LONGEST_PAUSE) : pause;
            default -> {
                // A comment, or the kind of the event.
            }
        }
    }

    /** The next byte. A byte order mark at the start of the stream is left out. */
    private int first() throws IOException {
        if (!begun) {
            begun = true;
            in.mark(3);
            byte[] mark = in.readNBytes(3);
            if (mark.length < 3 || mark[0] != (byte) 0xEF || mark[1] != (byte) 0xBB || mark[2] != (byte) 0xBF) {
                in.reset();
            }
        }
        return in.read();
    }

    /** The bytes of the next line as characters; null at the end of the stream. Lines end with CR, LF or both. */
    private @Nullable String line() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int next = first(); next >= 0; next = in.read()) {
            boolean secondOfTwo = afterReturn && next == '\n';
            afterReturn = next == '\r';
            if (next == '\r' || (next == '\n' && !secondOfTwo)) {
                return line.toString(StandardCharsets.ISO_8859_1);
            } else if (line.size() > LONGEST_EVENT) {
                throw new IOException("a line has more than " + LONGEST_EVENT + " bytes");
            } else if (!secondOfTwo) {
                line.write(next);
            }
        }
        return null;
    }
}
