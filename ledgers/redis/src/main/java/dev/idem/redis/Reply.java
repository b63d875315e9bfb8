package dev.idem.redis;

import dev.idem.entry.Address;
import dev.idem.entry.Entry;
import dev.idem.entry.Fence;
import dev.idem.entry.Moment;
import org.jspecify.annotations.Nullable;

/** The answer of a script: a letter, the time, and the entry or the fence. */
@SuppressWarnings("ArrayRecordComponent") // passed on, never compared
record Reply(byte kind, byte[] bytes) {
    /** Granted where nothing was. */
    static final byte FIRST = 'G';
    /** Granted over what was there. */
    static final byte OVER = 'A';
    /** Written over what was there. */
    static final byte RECORDED = 'R';

    private static final int TIME = 1;
    private static final int REST = TIME + Digits.TIME;

    static Reply of(Object answer) {
        byte[] bytes = (byte[]) answer;
        return new Reply(bytes[0], bytes);
    }

    /** Whether something was written. */
    static boolean changed(Object answer) {
        return answer instanceof Long number ? number != 0 : ((byte[]) answer)[0] != 'K';
    }

    Moment now() {
        return Moment.ofWall(Digits.instant(Digits.read(bytes, TIME, Digits.TIME)));
    }

    Fence fence() {
        return new Fence(Digits.read(bytes, REST, Digits.TIME));
    }

    @Nullable
    Entry entry(Address address) {
        return EntryUnpacking.unpack(address, bytes, REST);
    }

    /** How long the entry is. */
    int length() {
        return bytes.length - REST;
    }
}
