package dev.idem;

/** The treatment of a duplicate that has the same identity but other content. */
public enum Reworded {
    /** The duplicate gets the first result, with a warning. */
    WARN,
    /** The duplicate gets a {@link ConflictException}. */
    CONFLICT
}
