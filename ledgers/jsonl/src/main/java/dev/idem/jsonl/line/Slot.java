package dev.idem.jsonl.line;

import dev.idem.State;
import dev.idem.spi.Moment;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The part of a row that is kept in memory: the position of its line, and the values that a write compares or changes.
 *
 * @param offset of the line in the file
 * @param length of the line, with its line end
 * @param state null if the entry was forgotten
 * @param due when a purge should check the row; null for never
 * @param lease if it was renewed after the line was written; null if the lease of the line is valid
 */
public record Slot(
        long offset,
        int length,
        long fence,
        long version,
        @Nullable State state,
        @Nullable Instant due,
        long replays,
        @Nullable Moment lease) {
    /** The same slot at another position. */
    public Slot at(long newOffset, int newLength) {
        return new Slot(newOffset, newLength, fence, version, state, due, replays, lease);
    }

    public Slot withReplays(long count) {
        return new Slot(offset, length, fence, version, state, due, count, lease);
    }

    public Slot withLease(@Nullable Moment renewed) {
        return new Slot(offset, length, fence, version, state, due, replays, renewed);
    }

    public boolean isDue(Instant now) {
        return due != null && !now.isBefore(due);
    }
}
