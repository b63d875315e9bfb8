package dev.idem.agent.retry;

import dev.idem.RemoteKeys;
import dev.idem.SideEffect;
import org.jspecify.annotations.Nullable;

/** Whether a failed call may be tried again, by its declared side effect. */
public enum Permit {
    /** Never. */
    NEVER,
    /** Only after a failure which proves that nothing happened. */
    IF_NOTHING_HAPPENED,
    /** After any failure that may pass: another run does no harm. */
    ALWAYS;

    /** The permit of a side effect without a remote that knows the key. */
    public static Permit of(SideEffect sideEffect) {
        return of(sideEffect, null);
    }

    /**
     * The permit of a side effect.
     *
     * @param remote which deduplicates by the key it is handed; null when there is none
     */
    public static Permit of(SideEffect sideEffect, @Nullable RemoteKeys remote) {
        return switch (sideEffect) {
            case READ, IDEMPOTENT -> ALWAYS;
            case WRITE -> remote == null ? IF_NOTHING_HAPPENED : ALWAYS;
            case DESTRUCTIVE -> NEVER;
        };
    }
}
