package dev.idem.redis;

import dev.idem.Address;
import dev.idem.LedgerUnreadableException;
import dev.idem.State;
import dev.idem.spi.EntryStore.Row;
import dev.idem.spi.Fence;
import dev.idem.spi.Moment;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * A row as the value of a key: a line of words, the document, and after another line break the body.
 *
 * <pre>
 * complete 1763328000000000 5eed000000000001 1763328000000000 1763328000000000+30000000 1763328000120000 … 271
 * </pre>
 *
 * The words are state, fence, version, claimed, lease, settled, expires, due and the length of the document; {@code -}
 * means none. Times are microseconds since 1970. A time in the future is written as a sum, because a script that only
 * copies digits is faster than one that calculates.
 */
final class RowText {
    /** The maximum length of a line. */
    static final int LONGEST_LINE = 255;

    private static final String NONE = "-";
    private static final String FORGOTTEN = "forgotten";
    private static final String REMOVED = "removed";
    private static final int WORDS = 9;
    private static final long PER_SECOND = 1_000_000;
    /** Longer durations count as 200 years: the sum of a time and a duration is then exact in a script. */
    private static final long MOST_SECONDS = 200 * 31_556_952L;

    private final Address at;
    private final String[] words;
    private final int end;

    private RowText(Address at, String[] words, int end) {
        this.at = at;
        this.words = words;
        this.end = end;
    }

    /** Reads the first line of a value. */
    private static RowText line(Address at, byte[] value) {
        int end = 0;
        while (end < value.length && value[end] != '\n') {
            end++;
        }
        String[] words = new String(value, 0, end, StandardCharsets.US_ASCII).split(" ", -1);
        if (words.length != WORDS) {
            throw unreadable(at, null);
        }
        return new RowText(at, words, end);
    }

    /** The row of a value; null if only its fence is left. */
    static @Nullable Row read(Address at, byte[] value) {
        RowText line = line(at, value);
        try {
            if (line.words[0].equals(REMOVED)) {
                return null;
            }
            int from = line.end + 1;
            int to = from + Integer.parseInt(line.words[8]);
            if (to > value.length) {
                throw unreadable(at, null);
            }
            byte[] document = Arrays.copyOfRange(value, from, to);
            byte[] body = to == value.length ? null : Arrays.copyOfRange(value, to + 1, value.length);
            return line.row(document, body);
        } catch (IllegalArgumentException e) {
            throw unreadable(at, e);
        }
    }

    /** The row of a line that a script has written. */
    static Row written(Address at, byte[] line, byte[] document, byte @Nullable [] body) {
        return line(at, line).row(document, body);
    }

    /** Whether the row of this line is due. */
    static boolean isDue(Address at, byte[] line, Moment now) {
        try {
            Instant due = sum(line(at, line).words[7]);
            return due != null && !now.wall().isBefore(due);
        } catch (IllegalArgumentException e) {
            throw unreadable(at, e);
        }
    }

    private Row row(byte[] document, byte @Nullable [] body) {
        Instant settled = sum(words[5]);
        return new Row(
                at,
                HexFormat.fromHexDigitsToLong(words[2]),
                new Fence(Long.parseLong(words[1])),
                words[0].equals(FORGOTTEN) ? null : State.ofWord(words[0]),
                needed(words[3]),
                needed(words[4]),
                settled == null ? null : Moment.ofWall(settled),
                sum(words[6]),
                0,
                document,
                body);
    }

    private static Moment needed(String word) {
        Instant instant = sum(word);
        if (instant == null) {
            throw new IllegalArgumentException("a time is missing");
        }
        return Moment.ofWall(instant);
    }

    /** A time, or a time and the microseconds after it. */
    private static @Nullable Instant sum(String word) {
        if (word.equals(NONE)) {
            return null;
        }
        int plus = word.indexOf('+');
        if (plus < 0) {
            return instant(Long.parseLong(word));
        }
        return instant(Long.parseLong(word.substring(0, plus)) + Long.parseLong(word.substring(plus + 1)));
    }

    static String state(@Nullable State state) {
        return state == null ? FORGOTTEN : state.word();
    }

    static String version(long version) {
        return HexFormat.of().toHexDigits(version);
    }

    /** The time that a script returned. */
    static Moment moment(byte[] micros) {
        return Moment.ofWall(instant(Long.parseLong(new String(micros, StandardCharsets.US_ASCII))));
    }

    private static Instant instant(long micros) {
        return Instant.ofEpochSecond(micros / PER_SECOND, micros % PER_SECOND * 1_000);
    }

    static long micros(Instant instant) {
        return instant.getEpochSecond() * PER_SECOND + instant.getNano() / 1_000;
    }

    /** A duration in microseconds, rounded up: no lease is shorter than requested. */
    static long micros(Duration duration) {
        return duration.getSeconds() >= MOST_SECONDS
                ? MOST_SECONDS * PER_SECOND
                : duration.getSeconds() * PER_SECOND + (duration.getNano() + 999) / 1_000;
    }

    private static LedgerUnreadableException unreadable(Address at, @Nullable Throwable cause) {
        return new LedgerUnreadableException(
                "the entry " + at
                        + " can't be read: its key holds something else, or a later version of Idem wrote it. "
                        + "Nothing was changed; choose another ?prefix=, or use that version",
                cause);
    }
}
