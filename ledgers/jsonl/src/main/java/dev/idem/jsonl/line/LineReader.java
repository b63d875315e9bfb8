package dev.idem.jsonl.line;

import dev.idem.Address;
import dev.idem.internal.ledger.TimeText;
import dev.idem.spi.EntryStore.Row;
import dev.idem.spi.Fence;
import dev.idem.spi.Moment;
import java.time.DateTimeException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** Reads lines that {@link LineWriter} has written. For one thread. */
public final class LineReader {
    private final CRC32C crc = new CRC32C();
    /** Many lines share an operation or a scope: one object for each saves memory. */
    private final Map<String, String> names = new HashMap<>();

    /**
     * Reads the part of a line that an opening needs.
     *
     * @param to the end of the line, without its line end
     * @param offset of the line in the file
     */
    public Line read(byte[] bytes, int from, int to, long offset) {
        int sum = check(crc, bytes, from, to);
        try {
            Cursor in = new Cursor(bytes, from, to);
            String id = in.text("id");
            LineState word = LineState.of(in.text("state"));
            return switch (word) {
                case LEDGER -> throw new BadLineException("it is a first line, in the middle of the file");
                case BATCH -> trailer(in);
                default -> change(in, id, word, new Extent(offset, to - from + 1), sum);
            };
        } catch (IllegalArgumentException | ArithmeticException | DateTimeException e) {
            throw new BadLineException("it has an invalid value: " + e.getMessage(), e);
        }
    }

    private record Extent(long offset, int length) {}

    private RowChange change(Cursor in, String id, LineState word, Extent extent, int sum) {
        Address at = address(in, id);
        long fence = in.number("fence");
        long version = word.isRow() ? in.number("version") : 0;
        String due = in.optionalText("due");
        long replays = in.optionalNumber("replays");
        Moment lease = word == LineState.RENEWED ? TimeText.moment(in.text("lease")) : null;
        return new RowChange(
                word,
                at,
                new Slot(
                        extent.offset,
                        extent.length,
                        fence,
                        version,
                        word.state,
                        due == null ? null : TimeText.instant(due),
                        replays,
                        lease),
                sum);
    }

    private Address address(Cursor in, String id) {
        String operation = in.text("operation");
        String scope = in.text("scope");
        return new Address(
                names.computeIfAbsent(scope, name -> name), names.computeIfAbsent(operation, name -> name), id);
    }

    private static Trailer trailer(Cursor in) {
        return new Trailer(
                in.number("number"),
                Math.toIntExact(in.number("lines")),
                Math.toIntExact(in.number("bytes")),
                in.number("high"),
                Integer.parseUnsignedInt(in.text("sum"), 16));
    }

    /** Reads a row from its line, given without its line end. */
    public static Row row(Address at, Slot slot, byte[] line, int length) {
        check(new CRC32C(), line, 0, length);
        try {
            Cursor in = new Cursor(line, 0, length);
            List.of("id", "state", "operation", "scope").forEach(in::text);
            long fence = in.number("fence");
            long version = in.number("version");
            if (fence != slot.fence() || version != slot.version()) {
                throw new BadLineException("it is the line of another row");
            }
            in.optionalText("due");
            in.optionalNumber("replays");
            Moment claimed = TimeText.moment(in.text("claimed"));
            Moment lease = TimeText.moment(in.text("lease"));
            String settled = in.optionalText("settled");
            String expires = in.optionalText("expires");
            int document = in.object("entry");
            int documentEnd = in.position();
            return new Row(
                    at,
                    version,
                    new Fence(fence),
                    slot.state(),
                    claimed,
                    slot.lease() == null ? lease : slot.lease(),
                    settled == null ? null : TimeText.moment(settled),
                    expires == null ? null : TimeText.instant(expires),
                    slot.replays(),
                    Arrays.copyOfRange(line, document, documentEnd),
                    body(in, line, length - LineBuffer.CHECK_LENGTH));
        } catch (IllegalArgumentException | DateTimeException e) {
            throw new BadLineException("it has an invalid value: " + e.getMessage(), e);
        }
    }

    private static byte @Nullable [] body(Cursor in, byte[] line, int end) {
        String form = in.optionalText("form");
        return in.accept("result") ? BodyText.bytes(form, line, in.position(), end) : null;
    }

    /** Checks the checksum of a line and returns it. */
    public static int check(CRC32C crc, byte[] bytes, int from, int to) {
        int covered = to - LineBuffer.CHECK_LENGTH;
        if (covered <= from) {
            throw new BadLineException("it does not end with its checksum");
        }
        crc.reset();
        crc.update(bytes, from, covered - from);
        int sum = (int) crc.getValue();
        String digits = LineBuffer.hex(sum);
        int at = covered + LineBuffer.CHECK.length;
        boolean same = Arrays.equals(bytes, covered, at, LineBuffer.CHECK, 0, LineBuffer.CHECK.length);
        for (int i = 0; i < digits.length(); i++) {
            same &= bytes[at + i] == digits.charAt(i);
        }
        if (!same || bytes[to - 2] != '"' || bytes[to - 1] != '}') {
            throw new BadLineException("its checksum is not that of its content");
        }
        return sum;
    }
}
