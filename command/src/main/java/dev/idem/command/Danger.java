package dev.idem.command;

import dev.idem.SideEffect;
import java.util.Locale;

/** The possible harm of a command, in the words of the manifest. */
public enum Danger {
    /** It only reads. */
    SAFE,
    /** It creates or changes something, once for each key. */
    MUTATING,
    /** It removes something for good. */
    DESTRUCTIVE;

    /** The danger of a command that declares this side effect. */
    public static Danger of(SideEffect sideEffect) {
        return switch (sideEffect) {
            case READ -> SAFE;
            case IDEMPOTENT, WRITE -> MUTATING;
            case DESTRUCTIVE -> DESTRUCTIVE;
        };
    }

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
