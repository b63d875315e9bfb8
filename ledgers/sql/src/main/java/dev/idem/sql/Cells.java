package dev.idem.sql;

import dev.idem.entry.Moment;
import org.jspecify.annotations.Nullable;

/** The cells of one row, read from left to right in the order in which {@link EntryReader} asks for them. */
public interface Cells {
    /** The next cell, which holds a text. */
    String text();

    /** The next cell. */
    @Nullable
    String textOrNull();

    /** The next cell, which holds a whole number. */
    long number();

    /** The next cell. */
    @Nullable
    Long numberOrNull();

    /** A moment, in as many cells as a moment has here. */
    Moment moment();

    /** Where the trail is, in as many cells as that takes here. */
    TrailState trail();
}
