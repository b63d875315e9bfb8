package dev.idem.sqlite;

import dev.idem.entry.AttemptId;
import dev.idem.json.Json;
import dev.idem.sql.Micros;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Writes cells that {@link CellArray} reads: one JSON array of texts, whole numbers and nulls, in UTF-8. It is written
 * for every single step of a ledger, between two waits for the disk: so all cells go through the same few lines, which
 * the processor has at hand from the second cell on, and one writer is used again and again. For one thread at a time.
 */
final class CellWriter {
    private static final int USUAL_LENGTH = 512;
    private static final int LONGEST_NUMBER = 20;
    private static final int DIGITS_OF_A_LONG = 16;

    private byte[] array = new byte[USUAL_LENGTH];
    private int length;

    /**
     * The array. Nulls at its end are left out.
     *
     * @param cells each a {@link String}, a {@link Long}, an {@link Instant} or a {@link Duration} (both as microseconds),
     *     an {@link AttemptId}, or null
     */
    byte[] array(@Nullable Object... cells) {
        int count = cells.length;
        while (count > 1 && cells[count - 1] == null) {
            count--;
        }
        length = 0;
        append('[');
        for (int i = 0; i < count; i++) {
            cell(cells[i]);
            append(',');
        }
        array[length - 1] = ']';
        return Arrays.copyOf(array, length);
    }

    private void cell(@Nullable Object cell) {
        if (cell instanceof String text) {
            text(text);
        } else if (cell instanceof Long number) {
            number(number);
        } else if (cell instanceof Instant instant) {
            number(Micros.of(instant));
        } else if (cell instanceof Duration duration) {
            number(Micros.of(duration));
        } else if (cell instanceof AttemptId id) {
            id(id);
        } else if (cell == null) {
            plain("null");
        } else {
            throw new IllegalArgumentException("a cell can't be " + cell.getClass());
        }
    }

    private void text(String text) {
        int before = length;
        append('"');
        if (plain(text)) {
            append('"');
        } else {
            length = before;
            // Half a surrogate pair, which is no text, becomes a question mark.
            String whole = new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
            byte[] written = Json.write(whole).getBytes(StandardCharsets.UTF_8);
            makeRoom(written.length);
            System.arraycopy(written, 0, array, length, written.length);
            length += written.length;
        }
    }

    /** Appends a text if JSON writes all of its characters as they are, and each is one byte; false if not. */
    private boolean plain(String text) {
        int characters = text.length();
        makeRoom(characters);
        byte[] to = array;
        int at = length;
        for (int i = 0; i < characters; i++) {
            char c = text.charAt(i);
            if (c < ' ' || c == '"' || c == '\\' || c > '~') {
                return false;
            }
            to[at++] = (byte) c;
        }
        length = at;
        return true;
    }

    private void number(long number) {
        if (number < 0) {
            plain(Long.toString(number));
            return;
        }
        makeRoom(LONGEST_NUMBER);
        byte[] to = array;
        int end = length + LONGEST_NUMBER;
        int at = end;
        long rest = number;
        while (rest >= 10) {
            long hundredth = rest / 100;
            int pair = (int) (rest - hundredth * 100);
            to[--at] = (byte) ('0' + pair % 10);
            to[--at] = (byte) ('0' + pair / 10);
            rest = hundredth;
        }
        if (rest > 0 || at == end) {
            to[--at] = (byte) ('0' + rest);
        }
        System.arraycopy(to, at, to, length, end - at);
        length += end - at;
    }

    /** A text of 32 hexadecimal digits. */
    private void id(AttemptId id) {
        append('"');
        hex(id.high());
        hex(id.low());
        append('"');
    }

    private void hex(long number) {
        makeRoom(DIGITS_OF_A_LONG);
        byte[] to = array;
        int at = length;
        for (int shift = Long.SIZE - 4; shift >= 0; shift -= 4) {
            int digit = (int) (number >>> shift) & 0xf;
            to[at++] = (byte) (digit < 10 ? '0' + digit : 'a' - 10 + digit);
        }
        length = at;
    }

    private void append(char c) {
        makeRoom(1);
        array[length++] = (byte) c;
    }

    private void makeRoom(int more) {
        if (array.length - length < more) {
            array = Arrays.copyOf(array, Math.max(2 * array.length, length + more));
        }
    }
}
