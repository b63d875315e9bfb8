package dev.idem.clikit;

import dev.idem.spi.Effect;
import org.jspecify.annotations.Nullable;

/**
 * A value with its effect, returned by a command whose effect is not always the declared one.
 *
 * @param reason of the effect, in a sentence; for a noop the state that was found
 */
public record Effected<T extends @Nullable Object>(
        Effect effect, @Nullable String reason, T value) {
    /** Refuses the effects of a dry run. */
    public Effected {
        if (effect.word().startsWith("would_")) {
            throw new IllegalArgumentException(
                    effect.word() + " is what a dry run says; a command that ran reports what it did");
        }
    }

    /** Something new was created. */
    public static <T extends @Nullable Object> Effected<T> created(T value) {
        return new Effected<>(Effect.CREATED, null, value);
    }

    /** Something existing was changed. */
    public static <T extends @Nullable Object> Effected<T> updated(T value) {
        return new Effected<>(Effect.UPDATED, null, value);
    }

    /** Something was removed. */
    public static <T extends @Nullable Object> Effected<T> deleted(T value) {
        return new Effected<>(Effect.DELETED, null, value);
    }

    /**
     * Nothing was done, because the wanted state was already there.
     *
     * @param reason for people and agents: "Already at version 1.2.3"
     */
    public static <T extends @Nullable Object> Effected<T> noop(String reason, T value) {
        return new Effected<>(Effect.NOOP, reason, value);
    }
}
