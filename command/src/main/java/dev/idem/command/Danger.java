package dev.idem.command;

import dev.idem.SideEffect;
import java.util.Locale;

/** What a command may do to the ledger or the world, in the words of the manifest. */
public enum Danger {
    /** It only looks. */
    SAFE,
    /** It makes or changes something, once for each key. */
    MUTATING,
    /** It removes something that does not come back. */
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
