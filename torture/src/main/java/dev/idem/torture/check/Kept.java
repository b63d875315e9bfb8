package dev.idem.torture.check;

import java.util.List;
import java.util.Locale;

/**
 * The final state of a key in the ledger.
 *
 * @param token of the result of a complete entry; empty if there is none
 * @param rows tokens of the rows that its transactions wrote
 */
public record Kept(String key, State state, long fence, String token, List<String> rows) {
    /** Without rows. */
    public Kept(String key, State state, long fence, String token) {
        this(key, state, fence, token, List.of());
    }

    /** The same entry, with these rows. */
    public Kept withRows(List<String> written) {
        return new Kept(key, state, fence, token, List.copyOf(written));
    }

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
        return key + "\t" + state.name().toLowerCase(Locale.ROOT) + "\t" + fence + "\t" + token + "\t"
                + String.join(",", rows);
    }

    /** Reads {@link #text()}. */
    public static Kept parse(String text) {
        String[] part = text.split("\t", -1);
        List<String> rows = part.length < 5 || part[4].isEmpty() ? List.of() : List.of(part[4].split(",", -1));
        return new Kept(
                part[0], State.valueOf(part[1].toUpperCase(Locale.ROOT)), Long.parseLong(part[2]), part[3], rows);
    }
}
