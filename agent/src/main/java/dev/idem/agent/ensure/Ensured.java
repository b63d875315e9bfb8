package dev.idem.agent.ensure;

import dev.idem.spi.Effect;

/**
 * The thing that exists now. Immutable.
 *
 * @param value the thing that was created or found
 * @param effect {@link Effect#CREATED}, or {@link Effect#NOOP} when it was there
 * @param reason {@code created} or {@code already_exists}
 * @param <T> the thing
 */
public record Ensured<T>(T value, Effect effect, String reason) {
    private static final String CREATED = "created";
    private static final String ALREADY_EXISTS = "already_exists";

    static <T> Ensured<T> ofNew(T value) {
        return new Ensured<>(value, Effect.CREATED, CREATED);
    }

    static <T> Ensured<T> ofFound(T value) {
        return new Ensured<>(value, Effect.NOOP, ALREADY_EXISTS);
    }

    /** Whether this call has created it. */
    public boolean created() {
        return effect == Effect.CREATED;
    }

    /** Shows no value. */
    @Override
    public String toString() {
        return "Ensured[" + reason + "]";
    }
}
