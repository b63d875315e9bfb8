package dev.idem.torture.check;

import java.util.Locale;

/**
 * What the ledger holds of a key when everything has ended.
 *
 * @param token of the result of a complete entry; empty where there is none
 */
public record Kept(String key, State state, long fence, String token) {
    /** The state of the entry, or that there is none. */
    public enum State {
        ABSENT,
        IN_PROGRESS,
        COMPLETE,
        FAILED,
        IN_DOUBT,
        EXPIRED
    }

    /** The line as it is written. */
    public String text() {
        return key + "\t" + state.name().toLowerCase(Locale.ROOT) + "\t" + fence + "\t" + token;
    }

    /** Reads {@link #text()}. */
    public static Kept parse(String text) {
        String[] part = text.split("\t", -1);
        return new Kept(part[0], State.valueOf(part[1].toUpperCase(Locale.ROOT)), Long.parseLong(part[2]), part[3]);
    }
}
