package dev.idem.clikit.call;

import dev.idem.clikit.Effected;
import dev.idem.spi.Effect;
import org.jspecify.annotations.Nullable;

/**
 * The stored result of a command, with which duplicates are answered.
 *
 * @param effect of the command, as a word, so that the stored form does not depend on the names of constants
 */
record StoredAnswer(
        String effect, @Nullable String reason, @Nullable Object data) {

    /** The result of an entry that a person has settled as complete without one. */
    static final StoredAnswer BY_HAND =
            new StoredAnswer(Effect.NOOP.word(), "It was settled by hand, and its result is not known", null);

    /** The result of a command, with its declared effect unless it returned another one. */
    static StoredAnswer of(@Nullable Object returned, Effect declared) {
        return returned instanceof Effected<?> effected
                ? new StoredAnswer(effected.effect().word(), effected.reason(), effected.value())
                : new StoredAnswer(declared.word(), null, returned);
    }

    /** The effect as a constant. */
    Effect done() {
        return Effect.ofWord(effect);
    }
}
