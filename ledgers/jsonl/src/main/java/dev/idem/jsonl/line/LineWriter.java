package dev.idem.jsonl.line;

import dev.idem.Address;
import dev.idem.Json;
import dev.idem.internal.ledger.TimeText;
import dev.idem.spi.EntryStore.Row;
import dev.idem.spi.Moment;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Writes a line up to its checksum. The members that an opening reads come first, always in the same order;
 * {@link LineReader} reads them.
 */
public final class LineWriter {
    private LineWriter() {}

    /** A row up to its document. */
    public static byte[] row(Row row, @Nullable Instant due) {
        StringBuilder out =
                start(row.at(), LineState.of(row.state()), row.fence().number());
        out.append(",\"version\":").append(row.version());
        plain(out, "due", due);
        if (row.replays() != 0) {
            out.append(",\"replays\":").append(row.replays());
        }
        text(out, "claimed", TimeText.of(row.claimed()));
        text(out, "lease", TimeText.of(row.lease()));
        text(out, "settled", row.settled() == null ? null : TimeText.of(row.settled()));
        plain(out, "expires", row.expires());
        return bytes(out.append(",\"entry\":"));
    }

    public static byte[] purged(Address at, long fence) {
        return bytes(start(at, LineState.PURGED, fence));
    }

    public static byte[] replayed(Address at, long fence, long replays) {
        return bytes(
                start(at, LineState.REPLAYED, fence).append(",\"replays\":").append(replays));
    }

    public static byte[] renewed(Address at, long fence, Moment lease) {
        StringBuilder out = start(at, LineState.RENEWED, fence);
        text(out, "lease", TimeText.of(lease));
        return bytes(out);
    }

    static byte[] trailer(Trailer trailer) {
        StringBuilder out = start("", LineState.BATCH);
        out.append(",\"number\":").append(trailer.number());
        out.append(",\"lines\":").append(trailer.lines());
        out.append(",\"bytes\":").append(trailer.bytes());
        out.append(",\"high\":").append(trailer.high());
        plain(out, "sum", LineBuffer.hex(trailer.sum()));
        return bytes(out);
    }

    public static byte[] header(String format, long version, String file) {
        StringBuilder out = start("", LineState.LEDGER);
        plain(out, "format", format);
        out.append(",\"version\":").append(version);
        plain(out, "file", file);
        return bytes(out);
    }

    private static StringBuilder start(Address at, LineState word, long fence) {
        StringBuilder out = start(at.key(), word);
        text(out, "operation", at.operation());
        text(out, "scope", at.scope());
        return out.append(",\"fence\":").append(fence);
    }

    private static StringBuilder start(String id, LineState word) {
        StringBuilder out = new StringBuilder(512).append("{\"id\":").append(Json.write(id));
        plain(out, "state", word.text);
        return out;
    }

    private static void text(StringBuilder out, String name, @Nullable String value) {
        if (value != null) {
            out.append(",\"").append(name).append("\":").append(Json.write(value));
        }
    }

    /** A text without characters that need an escape. */
    private static void plain(StringBuilder out, String name, @Nullable Object value) {
        if (value != null) {
            out.append(",\"").append(name).append("\":\"").append(value).append('"');
        }
    }

    private static byte[] bytes(StringBuilder out) {
        return out.toString().getBytes(StandardCharsets.UTF_8);
    }
}
