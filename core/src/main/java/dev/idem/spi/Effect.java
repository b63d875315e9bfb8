package dev.idem.spi;

import java.util.Locale;

/** The effect that a call reports. */
public enum Effect {
    /** The call made something new. */
    CREATED,
    /** The call changed something. */
    UPDATED,
    /** The call removed something. */
    DELETED,
    /** The call changed nothing. */
    NOOP,
    /** A dry run: the call would make something new. */
    WOULD_CREATE,
    /** A dry run: the call would change something. */
    WOULD_UPDATE,
    /** A dry run: the call would remove something. */
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
