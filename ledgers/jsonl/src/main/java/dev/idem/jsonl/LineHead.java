package dev.idem.jsonl;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * What an opening has to know of a line: of which entry it is, and what it does to it. Reads the first few members,
 * byte by byte, and none of what follows. Used for many lines, by one thread.
 */
final class LineHead {
    /** What a line does. */
    enum Kind {
        IN_PROGRESS(0, "in_progress"),
        COMPLETE(1, "complete"),
        FAILED(2, "failed"),
        IN_DOUBT(3, "in_doubt"),
        EXPIRED(4, "expired"),
        /** The entry was removed by somebody. */
        FORGOTTEN(5, "forgotten"),
        /** The entry was removed since its time was over. */
        PURGED(6, "purged"),
        /** Only how often it has answered has changed. */
        REPLAYED(7, "replayed"),
        /** Ends a batch of lines. */
        BATCH(8, "batch"),
        /** Begins the file. */
        LEDGER(9, "ledger");

        /** What stands for it in an index. */
        final int code;

        final String word;

        Kind(int code, String word) {
            this.code = code;
            this.word = word;
        }

        /** What stands for it in a set of kinds. */
        int bit() {
            return 1 << code;
        }

        static Kind of(int code) {
            return KINDS[code];
        }
    }

    static final long NEVER = Long.MAX_VALUE;

    private static final Kind[] KINDS = Kind.values();
    private static final byte[][] WORDS =
            Arrays.stream(KINDS).map(kind -> ascii(kind.word)).toArray(byte[][]::new);
    private static final byte[] ID = ascii("{\"id\":\"");
    private static final byte[] STATE = ascii(",\"state\":\"");
    private static final byte[] OPERATION = ascii(",\"operation\":\"");
    private static final byte[] SCOPE = ascii(",\"scope\":\"");
    private static final byte[] FENCE = ascii(",\"fence\":");
    private static final byte[] EXPIRES = ascii(",\"expires\":");
    private static final byte[] GONE = ascii(",\"gone\":");
    private static final byte[] REPLAYS = ascii(",\"replays\":");

    private final CRC32C crc = new CRC32C();
    private final AddressHash hashes;
    private byte[] address = new byte[3 * 256 * 4];
    private int addressLength;

    Kind kind = Kind.BATCH;
    int sum;
    long hashHigh;
    long hashLow;
    long fence;
    /** When a purge has something to do, in microseconds since 1970, rounded up. */
    long due;

    int replays;
    /** Where the members that only a batch or a ledger has begin. */
    int restAt;

    LineHead(AddressHash hashes) {
        this.hashes = hashes;
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /** Checks the checksum of a line that stands between the two, without its line end, and reads its head. */
    void read(byte[] bytes, int from, int to) {
        sum = Cursor.check(crc, bytes, from, to);
        int idAt = skip(bytes, from, to, ID);
        int idEnd = stringEnd(bytes, idAt, to);
        int stateAt = skip(bytes, idEnd + 1, to, STATE);
        int stateEnd = stringEnd(bytes, stateAt, to);
        kind = kind(bytes, stateAt, stateEnd);
        if (kind == Kind.BATCH || kind == Kind.LEDGER) {
            restAt = stateEnd + 1;
            return;
        }
        int operationAt = skip(bytes, stateEnd + 1, to, OPERATION);
        int operationEnd = stringEnd(bytes, operationAt, to);
        int scopeAt = skip(bytes, operationEnd + 1, to, SCOPE);
        int scopeEnd = stringEnd(bytes, scopeAt, to);
        addressLength = 0;
        part(bytes, scopeAt, scopeEnd);
        address[addressLength++] = 0;
        part(bytes, operationAt, operationEnd);
        address[addressLength++] = 0;
        part(bytes, idAt, idEnd);
        AddressHash.Value hash = hashes.of(address, addressLength);
        hashHigh = hash.high();
        hashLow = hash.low();
        numbers(bytes, scopeEnd + 1, to);
    }

    private void numbers(byte[] bytes, int from, int to) {
        Cursor in = new Cursor(bytes, skip(bytes, from, to, FENCE), to);
        fence = in.number();
        due = NEVER;
        replays = 0;
        if (has(bytes, in.position(), to, EXPIRES)) {
            in = new Cursor(bytes, in.position() + EXPIRES.length, to);
            due = micros(in.time());
        }
        if (has(bytes, in.position(), to, GONE)) {
            in = new Cursor(bytes, in.position() + GONE.length, to);
            long gone = micros(in.time());
            due = kind == Kind.EXPIRED ? gone : due;
        }
        if (has(bytes, in.position(), to, REPLAYS)) {
            replays = (int) Math.min(Integer.MAX_VALUE, new Cursor(bytes, in.position() + REPLAYS.length, to).number());
        }
    }

    /** Rounded up, so that what is due by this number is due indeed. */
    static long micros(Instant time) {
        return Math.addExact(Math.multiplyExact(time.getEpochSecond(), 1_000_000), (time.getNano() + 999) / 1000);
    }

    /** Adds a part of the address as it is meant, without escapes. */
    private void part(byte[] bytes, int from, int to) {
        byte[] source = bytes;
        int start = from;
        int length = to - from;
        for (int i = from; i < to; i++) {
            if (bytes[i] == '\\') {
                source = new Cursor(bytes, from - 1, to + 1).string().getBytes(StandardCharsets.UTF_8);
                start = 0;
                length = source.length;
                break;
            }
        }
        if (addressLength + length + 1 > address.length) {
            throw new BadLineException("its address is too long");
        }
        System.arraycopy(source, start, address, addressLength, length);
        addressLength += length;
    }

    private static Kind kind(byte[] bytes, int from, int to) {
        for (int i = 0; i < WORDS.length; i++) {
            if (WORDS[i].length == to - from && Cursor.matches(bytes, from, WORDS[i])) {
                return KINDS[i];
            }
        }
        throw new BadLineException("its state is not known");
    }

    private static int skip(byte[] bytes, int from, int to, byte[] wanted) {
        if (!has(bytes, from, to, wanted)) {
            throw new BadLineException("its members are not in the order of this format");
        }
        return from + wanted.length;
    }

    private static boolean has(byte[] bytes, int from, int to, byte[] wanted) {
        return to - from >= wanted.length && Cursor.matches(bytes, from, wanted);
    }

    private static int stringEnd(byte[] bytes, int from, int to) {
        for (int i = from; i < to; i++) {
            if (bytes[i] == '"') {
                return i;
            } else if (bytes[i] == '\\') {
                i++;
            }
        }
        throw new BadLineException("it ends in the middle of a text");
    }
}
