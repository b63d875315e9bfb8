package dev.idem.jsonl.line;

import dev.idem.State;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The {@code state} of a line. */
public enum LineState {
    IN_PROGRESS(State.IN_PROGRESS),
    COMPLETE(State.COMPLETE),
    FAILED(State.FAILED),
    IN_DOUBT(State.IN_DOUBT),
    EXPIRED(State.EXPIRED),
    /** A row whose entry was forgotten: it keeps the fence and the trail. */
    FORGOTTEN(null),
    /** The row was removed. */
    PURGED(null),
    /** Only the count of replays has changed. */
    REPLAYED(null),
    /** Only the lease has changed. */
    RENEWED(null),
    /** Ends a batch of lines. */
    BATCH(null),
    /** Begins the file. */
    LEDGER(null);

    private static final Map<String, LineState> BY_TEXT = new HashMap<>();

    static {
        Arrays.stream(values()).forEach(word -> BY_TEXT.put(word.text, word));
    }

    final @Nullable State state;
    final String text = name().toLowerCase(Locale.ROOT);

    LineState(@Nullable State state) {
        this.state = state;
    }

    /** Whether a line with this state is a whole row. */
    boolean isRow() {
        return ordinal() <= FORGOTTEN.ordinal();
    }

    public static LineState of(@Nullable State state) {
        return state == null ? FORGOTTEN : valueOf(state.name());
    }

    static LineState of(String text) {
        LineState word = BY_TEXT.get(text);
        if (word == null) {
            throw new BadLineException("its state is not known");
        }
        return word;
    }
}
