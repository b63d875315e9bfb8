package dev.idem.cli.syntax;

import java.util.Locale;

/** What a command may do to the ledger or the world, in the words of the manifest. */
public enum Danger {
    /** It only looks. */
    SAFE,
    /** It makes or changes something, once for each key. */
    MUTATING,
    /** It takes something away that does not come back. */
    DESTRUCTIVE;

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
