package dev.idem;

/** The treatment of an entry in doubt, the strictest first. */
public enum OnDoubt {
    /** The entry stays in doubt until a person resolves it. */
    HALT,
    /** The operation's probe finds out. Without a probe the entry stays in doubt. */
    PROBE,
    /** The action runs again, since running it twice does no harm. */
    RERUN
}
