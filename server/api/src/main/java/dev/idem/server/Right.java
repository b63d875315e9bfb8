package dev.idem.server;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** What a caller may be allowed. */
public enum Right {
    /** To see entries, without results. */
    READ,
    /** To see results. */
    PAYLOADS,
    /** To claim, run and settle. A duplicate gets its result with this right alone. */
    ACT,
    /** To resolve, forget, approve, and send events again. */
    OPERATE;

    /** The right with this word. */
    static Right of(String word) {
        return Arrays.stream(values())
                .filter(right -> right.word().equals(word))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("'" + word + "' is no right; there are "
                        + Arrays.stream(values()).map(Right::word).collect(Collectors.joining(", "))));
    }

    /** The word for programs. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
