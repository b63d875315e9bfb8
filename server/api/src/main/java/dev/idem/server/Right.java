package dev.idem.server;

import java.util.Locale;

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

    /** The word for programs. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
