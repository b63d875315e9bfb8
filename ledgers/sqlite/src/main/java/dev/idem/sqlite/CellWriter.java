package dev.idem.sqlite;

import dev.idem.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Writes cells that {@link CellArray} reads: one JSON array of texts, whole numbers and nulls, in UTF-8. It is written
 * for every single step of a ledger, so one writer is used again and again. For one thread at a time.
 */
final class CellWriter {
    private static final int USUAL_LENGTH = 512;
    private static final int LONGEST_NUMBER = 20;
    private static final int DIGITS_OF_A_LONG = 16;
    private static final byte[] NONE = {'n', 'u', 'l', 'l', ','};
    private static final byte[] DIGITS = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

    private static final byte[] TENS = new byte[100];
    private static final byte[] ONES = new byte[100];
    private static final long[] POWERS_OF_TEN =
            LongStream.iterate(1, power -> power * 10).limit(19).toArray();

    static {
        for (int pair = 0; pair < 100; pair++) {
            TENS[pair] = DIGITS[pair / 10];
            ONES[pair] = DIGITS[pair % 10];
        }
    }

    private byte[] array = new byte[USUAL_LENGTH];
    private int length;

    /** Cells that are null and not written: most of them are the last ones, which are left out. */
    private int nulls;

    /** Begins an array, in which one cell at least is not null. */
    CellWriter begin() {
        array[0] = '[';
        length = 1;
        nulls = 0;
        return this;
    }

    CellWriter number(long number) {
        beginCell(LONGEST_NUMBER);
        if (number < 0) {
            append(Long.toString(number).getBytes(StandardCharsets.US_ASCII));
        } else {
            appendDigits(number);
        }
        return endCell();
    }

    CellWriter number(@Nullable Long number) {
        return number == null ? none() : number(number.longValue());
    }

    /** A text of 32 hexadecimal digits. */
    CellWriter hex(long high, long low) {
        beginCell(2 * DIGITS_OF_A_LONG + 2);
        array[length++] = '"';
        appendHex(high);
        appendHex(low);
        array[length++] = '"';
        return endCell();
    }

    CellWriter text(@Nullable String text) {
        if (text == null) {
            return none();
        }
        if (!appendPlain(text)) {
            // Half a surrogate pair, which is no text, becomes a question mark.
            String whole = new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
            byte[] written = Json.write(whole).getBytes(StandardCharsets.UTF_8);
            beginCell(written.length);
            append(written);
        }
        return endCell();
    }

    /** The array. Nulls at its end are left out. */
    byte[] end() {
        byte[] whole = Arrays.copyOf(array, length);
        whole[length - 1] = ']';
        return whole;
    }

    private CellWriter none() {
        nulls++;
        return this;
    }

    /** Makes room for a cell of that many bytes, with its comma, behind the nulls before it. */
    private void beginCell(int bytes) {
        int more = bytes + 1 + nulls * NONE.length;
        if (array.length - length < more) {
            array = Arrays.copyOf(array, Math.max(2 * array.length, length + more));
        }
        for (; nulls > 0; nulls--) {
            append(NONE);
        }
    }

    private CellWriter endCell() {
        array[length++] = ',';
        return this;
    }

    private void append(byte[] bytes) {
        System.arraycopy(bytes, 0, array, length, bytes.length);
        length += bytes.length;
    }

    private void appendDigits(long number) {
        int digits = 1;
        while (digits < POWERS_OF_TEN.length && number >= POWERS_OF_TEN[digits]) {
            digits++;
        }
        byte[] to = array;
        int at = length + digits;
        long rest = number;
        while (rest >= 10) {
            long hundredth = rest / 100;
            int pair = (int) (rest - hundredth * 100);
            to[--at] = ONES[pair];
            to[--at] = TENS[pair];
            rest = hundredth;
        }
        if (at > length) {
            to[--at] = ONES[(int) rest];
        }
        length += digits;
    }

    private void appendHex(long number) {
        byte[] to = array;
        int at = length;
        for (int shift = Long.SIZE - 4; shift >= 0; shift -= 4) {
            to[at++] = DIGITS[(int) (number >>> shift) & 0xf];
        }
        length = at;
    }

    /** Appends a text in quotes, if JSON writes all of its characters as they are and each is one byte; or nothing. */
    private boolean appendPlain(String text) {
        int characters = text.length();
        beginCell(characters + 2);
        byte[] to = array;
        int at = length;
        to[at++] = '"';
        for (int i = 0; i < characters; i++) {
            char c = text.charAt(i);
            if (c < ' ' || c == '"' || c == '\\' || c > '~') {
                return false;
            }
            to[at++] = (byte) c;
        }
        to[at++] = '"';
        length = at;
        return true;
    }
}
