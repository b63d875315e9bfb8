package dev.idem.jsonl.line;

import dev.idem.Address;
import org.jspecify.annotations.Nullable;

/**
 * A line that changes a row.
 *
 * @param slot of a whole row; for other lines only the fence and the changed values are set
 * @param sum the checksum of the line
 */
public record RowChange(LineState word, Address at, Slot slot, int sum) implements Line {
    /** The slot after this change to an earlier one; null if there is no row any more. */
    @Nullable
    public Slot after(@Nullable Slot old) {
        if (word.isRow()) {
            return slot;
        } else if (word == LineState.PURGED || old == null || old.fence() != slot.fence()) {
            return word == LineState.PURGED ? null : old;
        }
        return word == LineState.RENEWED ? old.withLease(slot.lease()) : old.withReplays(slot.replays());
    }
}
