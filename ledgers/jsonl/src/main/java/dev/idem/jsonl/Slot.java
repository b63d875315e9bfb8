package dev.idem.jsonl;

import dev.idem.State;
import dev.idem.spi.Moment;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What is kept in memory of a row: where its line is, and what a write compares or adds to.
 *
 * @param offset where the line begins in the file
 * @param length of the line, with its end
 * @param state null where the entry was forgotten
 * @param due when a purge should look at the row; null for never
 * @param lease where it was renewed since the line was written; null where the lease of the line counts
 */
record Slot(
        long offset,
        int length,
        long fence,
        long version,
        @Nullable State state,
        @Nullable Instant due,
        long replays,
        @Nullable Moment lease) {
    /** The same in another place. */
    Slot at(long newOffset, int newLength) {
        return new Slot(newOffset, newLength, fence, version, state, due, replays, lease);
    }

    Slot withReplays(long count) {
        return new Slot(offset, length, fence, version, state, due, count, lease);
    }

    Slot withLease(@Nullable Moment renewed) {
        return new Slot(offset, length, fence, version, state, due, replays, renewed);
    }

    boolean isDue(Instant now) {
        return due != null && !now.isBefore(due);
    }
}
