package dev.idem;

import java.util.Locale;

/** The state of an operation's entry. */
public enum State {
    /** An attempt is running and its lease is alive. */
    IN_PROGRESS,
    /** The effect took place and the result is recorded. Only an expiry or a forget changes this state. */
    COMPLETE,
    /** Nothing happened. The operation may run again. */
    FAILED,
    /** The effect may or may not have taken place. It runs again only if its policy or its probe allows it. */
    IN_DOUBT,
    /** The retention of a settled entry is over, and only its tombstone is left. */
    EXPIRED;

    private static final State[] ALL = values();

    private final String word = name().toLowerCase(Locale.ROOT);

    /** The word used in tables, on the command line and in JSON: {@code in_progress}, {@code complete} … */
    public String word() {
        return word;
    }

    /** Parses {@link #word()}. */
    public static State ofWord(String word) {
        for (State state : ALL) {
            if (state.word().equals(word)) {
                return state;
            }
        }
        throw new IllegalArgumentException(
                "'" + word + "' is no state; use in_progress, complete, failed, in_doubt or expired");
    }
}
