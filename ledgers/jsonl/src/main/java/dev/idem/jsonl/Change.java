package dev.idem.jsonl;

import dev.idem.Address;
import org.jspecify.annotations.Nullable;

/**
 * A line that changes a row.
 *
 * @param slot of a whole row; else only what the line tells is set, beside the fence
 * @param sum the checksum of the line
 */
record Change(Word word, Address at, Slot slot, int sum) implements Line {
    /** The slot that follows from an earlier one; null where there is no row then. */
    @Nullable
    Slot after(@Nullable Slot old) {
        if (word.isRow()) {
            return slot;
        } else if (word == Word.PURGED || old == null || old.fence() != slot.fence()) {
            return word == Word.PURGED ? null : old;
        }
        return word == Word.RENEWED ? old.withLease(slot.lease()) : old.withReplays(slot.replays());
    }
}
