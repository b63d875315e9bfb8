package dev.idem.sqlite;

import dev.idem.Address;
import dev.idem.spi.EntryStore.Draft;
import dev.idem.spi.EntryStore.Row;
import dev.idem.spi.EntryStore.Stamp;
import dev.idem.spi.Fence;
import dev.idem.spi.Moment;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The times of a write: new ones, or those of the row that was read. */
record RowTimes(
        Moment claimed,
        Moment lease,
        @Nullable Moment settled,
        @Nullable Instant expires,
        @Nullable Instant due) {
    static RowTimes of(@Nullable Row seen, Draft draft, Moment now) {
        Instant due = draft.dueIn() == null ? null : now.wall().plus(draft.dueIn());
        Moment lease = draft.lease() == null ? Objects.requireNonNull(seen).lease() : now.plus(draft.lease());
        if (draft.stamp() == Stamp.CLAIMED) {
            return new RowTimes(now, lease, null, null, due);
        }
        Row old = Objects.requireNonNull(seen, "a first row is a claim");
        return draft.stamp() == Stamp.SETTLED
                ? new RowTimes(old.claimed(), lease, now, due, due)
                : new RowTimes(old.claimed(), lease, old.settled(), old.expires(), due);
    }

    Row row(Address at, Fence fence, long replays, Draft draft) {
        return new Row(
                at,
                draft.version(),
                fence,
                draft.state(),
                claimed,
                lease,
                settled,
                expires,
                replays,
                draft.document(),
                draft.body());
    }
}
