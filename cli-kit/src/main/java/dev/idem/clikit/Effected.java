package dev.idem.clikit;

import dev.idem.spi.Effect;
import org.jspecify.annotations.Nullable;

/**
 * A value, and what was done to have it: what a command returns where its declared effect is not always the one.
 *
 * @param reason why, in a sentence; for a noop the state that was found
 */
public record Effected<T extends @Nullable Object>(
        Effect effect, @Nullable String reason, T value) {
    /** Checks that something was done, and not only would be. */
    public Effected {
        if (effect.word().startsWith("would_")) {
            throw new IllegalArgumentException(
                    effect.word() + " is what a dry run says; a command that ran reports what it did");
        }
    }

    /** Something is there that was not. */
    public static <T extends @Nullable Object> Effected<T> created(T value) {
        return new Effected<>(Effect.CREATED, null, value);
    }

    /** Something that was there is different now. */
    public static <T extends @Nullable Object> Effected<T> updated(T value) {
        return new Effected<>(Effect.UPDATED, null, value);
    }

    /** Something is gone. */
    public static <T extends @Nullable Object> Effected<T> deleted(T value) {
        return new Effected<>(Effect.DELETED, null, value);
    }

    /**
     * Nothing was done, since the world is as it should be.
     *
     * @param reason for people and agents: "Already at version 1.2.3"
     */
    public static <T extends @Nullable Object> Effected<T> noop(String reason, T value) {
        return new Effected<>(Effect.NOOP, reason, value);
    }
}
