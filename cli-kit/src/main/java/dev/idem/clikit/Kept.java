package dev.idem.clikit;

import dev.idem.spi.Effect;
import org.jspecify.annotations.Nullable;

/**
 * What the ledger keeps of a command that ran, and what a duplicate is answered with.
 *
 * @param effect what was done; as a word, so that the stored form outlives the names of constants
 */
record Kept(
        String effect, @Nullable String reason, @Nullable Object data) {

    /** The result of an entry that a person has settled as complete without one. */
    static final Kept BY_HAND =
            new Kept(Effect.NOOP.word(), "It was settled by hand, and its result is not known", null);

    /** What a command returned, with its declared effect where it reports none itself. */
    static Kept of(@Nullable Object returned, Effect declared) {
        return returned instanceof Effected<?> effected
                ? new Kept(effected.effect().word(), effected.reason(), effected.value())
                : new Kept(declared.word(), null, returned);
    }

    /** What was done, as a constant. */
    Effect done() {
        return Effect.ofWord(effect);
    }
}
