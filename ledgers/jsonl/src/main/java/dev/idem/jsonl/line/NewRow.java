package dev.idem.jsonl.line;

import dev.idem.Address;
import dev.idem.spi.EntryStore.Draft;
import dev.idem.spi.EntryStore.Row;
import dev.idem.spi.EntryStore.Stamp;
import dev.idem.spi.Fence;
import dev.idem.spi.Moment;
import java.time.Instant;
import java.util.Objects;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A row to be written.
 *
 * @param due when a purge should check it; null for never
 */
public record NewRow(Row row, @Nullable Instant due) {
    /** The row of a draft, with the times and the fence that a store adds. */
    public static NewRow of(Address at, @Nullable Row old, Draft draft, Moment now, LongSupplier fences) {
        Instant due = draft.dueIn() == null ? null : now.wall().plus(draft.dueIn());
        boolean claimed = draft.stamp() == Stamp.CLAIMED;
        boolean settled = draft.stamp() == Stamp.SETTLED;
        Row row = new Row(
                at,
                draft.version(),
                draft.newFence() ? new Fence(fences.getAsLong()) : before(old).fence(),
                draft.state(),
                claimed ? now : before(old).claimed(),
                draft.lease() == null ? before(old).lease() : now.plus(draft.lease()),
                settled ? now : claimed ? null : before(old).settled(),
                settled ? due : claimed ? null : before(old).expires(),
                draft.fresh() || old == null ? 0 : old.replays(),
                draft.document(),
                draft.body());
        return new NewRow(row, due);
    }

    private static Row before(@Nullable Row old) {
        return Objects.requireNonNull(old, "a first row is a grant");
    }
}
