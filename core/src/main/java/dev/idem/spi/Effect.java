package dev.idem.spi;

import java.util.Locale;

/** The effect that a call reports. */
public enum Effect {
    CREATED,
    UPDATED,
    DELETED,
    NOOP,
    WOULD_CREATE,
    WOULD_UPDATE,
    WOULD_DELETE;

    private final String word = name().toLowerCase(Locale.ROOT);

    /** The word used in JSON: {@code created}, {@code would_create} … */
    public String word() {
        return word;
    }

    /** Parses {@link #word()}. */
    public static Effect ofWord(String word) {
        return valueOf(word.toUpperCase(Locale.ROOT));
    }
}
