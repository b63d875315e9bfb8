package dev.idem;

/** What happens to an entry in doubt. The stricter stands first. */
public enum OnDoubt {
    /** It stays in doubt until a person resolves it. */
    HALT,
    /** A probe is asked; without one it stays in doubt. */
    PROBE,
    /** It is run again: the action does no harm when it runs twice. */
    RERUN
}
