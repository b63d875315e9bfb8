package dev.idem;

/** What happens when a duplicate has the same identity but other content. */
public enum Reworded {
    /** It gets the first result, with a warning. */
    WARN,
    /** It is refused. */
    CONFLICT
}
