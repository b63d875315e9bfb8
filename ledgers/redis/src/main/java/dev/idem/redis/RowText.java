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
    private static final int TIME_DIGITS = 16;
    private static final long PER_SECOND = 1_000_000;
    /** Longer durations count as 200 years: the sum of a time and a duration is then exact in a script. */
    private static final long MOST_SECONDS = 200 * 31_556_952L;

    private final Address at;
    private final String line;
    private int next;

    private final String state;
    private final long fence;
    private final long version;
    private final @Nullable Instant claimed;
    private final @Nullable Instant lease;
    private final @Nullable Instant settled;
    private final @Nullable Instant expires;
    private final @Nullable Instant due;
    private final int length;

    /** Reads the line that begins here. */
    private RowText(Address at, byte[] value, int from) {
        this.at = at;
        int end = from;
        while (end < value.length && value[end] != '\n') {
            end++;
        }
        this.line = new String(value, from, end - from, StandardCharsets.US_ASCII);
        try {
            int to = word();
            this.state = line.substring(0, to);
            this.fence = number();
            boolean removed = state.equals(REMOVED);
            int start = next;
            to = word();
            this.version = removed ? 0 : HexFormat.fromHexDigitsToLong(line, start, to);
            this.claimed = sum();
            this.lease = sum();
            this.settled = sum();
            this.expires = sum();
            this.due = sum();
            this.length = Math.toIntExact(number());
        } catch (RuntimeException e) {
            throw unreadable(at, e);
        }
        if (next <= line.length()) {
            throw unreadable(at, null);
        }
    }

    /** Moves behind the next word, and returns its end. */
    private int word() {
        int space = line.indexOf(' ', next);
        int end = space < 0 ? line.length() : space;
        next = end + 1;
        return end;
    }

    private long number() {
        int start = next;
        return Long.parseLong(line, start, word(), 10);
    }

    /** A time, or a time and the microseconds after it; null for none. */
    private @Nullable Instant sum() {
        int start = next;
        int end = word();
        if (line.startsWith(NONE, start)) {
            return null;
        }
        int plus = line.indexOf('+', start);
        return plus < 0 || plus > end
                ? instant(Long.parseLong(line, start, end, 10))
                : instant(Long.parseLong(line, start, plus, 10) + Long.parseLong(line, plus + 1, end, 10));
    }

    /** The row of a value; null if only its fence is left. */
    static @Nullable Row read(Address at, byte[] value) {
        RowText text = new RowText(at, value, 0);
        if (text.state.equals(REMOVED)) {
            return null;
        }
        int from = text.line.length() + 1;
        int to = from + text.length;
        if (text.length < 0 || to > value.length) {
            throw unreadable(at, null);
        }
        byte[] body = to == value.length ? null : Arrays.copyOfRange(value, to + 1, value.length);
        return text.row(Arrays.copyOfRange(value, from, to), body);
    }

    /** The row that a script has written, of the time and the line that it answered. */
    static Row written(Address at, byte[] answer, byte[] document, byte @Nullable [] body) {
        return new RowText(at, answer, TIME_DIGITS + 1).row(document, body);
    }

    /** Whether the row of this line is due. */
    static boolean isDue(Address at, byte[] line, Moment now) {
        Instant due = new RowText(at, line, 0).due;
        return due != null && !now.wall().isBefore(due);
    }

    private Row row(byte[] document, byte @Nullable [] body) {
        if (claimed == null || lease == null) {
            throw unreadable(at, null);
        }
        try {
            return new Row(
                    at,
                    version,
                    new Fence(fence),
                    state.equals(FORGOTTEN) ? null : State.ofWord(state),
                    Moment.ofWall(claimed),
                    Moment.ofWall(lease),
                    settled == null ? null : Moment.ofWall(settled),
                    expires,
                    0,
                    document,
                    body);
        } catch (IllegalArgumentException e) {
            throw unreadable(at, e);
        }
    }

    static String state(@Nullable State state) {
        return state == null ? FORGOTTEN : state.word();
    }

    static String version(long version) {
        return HexFormat.of().toHexDigits(version);
    }

    /** The time with which an answer of a script begins. */
    static Moment moment(byte[] answer) {
        String micros = new String(answer, 0, TIME_DIGITS, StandardCharsets.US_ASCII);
        return Moment.ofWall(instant(Long.parseLong(micros)));
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
