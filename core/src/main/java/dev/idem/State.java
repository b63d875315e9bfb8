package dev.idem;

import java.util.Locale;

/** What is known about an operation. */
public enum State {
    /** A ticket is alive. */
    IN_PROGRESS,
    /** The effect took place and the result is recorded. Terminal: nothing but a forget takes it away. */
    COMPLETE,
    /** Nothing happened. It may run again. */
    FAILED,
    /** It may have happened; nobody knows. It never runs again by itself. */
    IN_DOUBT,
    /** It was settled, its retention is over, and only the tombstone is left. */
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
