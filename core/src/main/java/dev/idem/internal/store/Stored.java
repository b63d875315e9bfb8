package dev.idem.internal.store;

import dev.idem.Entry;
import dev.idem.spi.Doubt;
import dev.idem.spi.EntryStore.Row;
import dev.idem.spi.Moment;
import dev.idem.spi.Tenure;
import dev.idem.spi.Times;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** An entry with its limit and its trail, which only the document has. */
public record Stored(Entry entry, Limit limit, Trail trail) {
    /**
     * This entry after it was written: with the fence and the times that the store has set. The same as reading the row,
     * which takes longer.
     *
     * @param written the moment that stood for the time of the write
     */
    Stored in(Row row, Moment written) {
        Tenure tenure = entry.tenure();
        Times times = entry.times();
        Moment settled = row.settled();
        Tenure now = new Tenure(
                tenure.attemptId(),
                tenure.owner(),
                settled == null ? row.lease() : settled,
                entry.probing() ? tenure.acted() : row.fence(),
                limit.of(row.claimed(), settled),
                tenure.staged(),
                tenure.marks());
        Entry stored = new Entry(
                row.at(),
                entry.state(),
                row.fence(),
                entry.attempt(),
                entry.fingerprints(),
                entry.parent(),
                entry.labels(),
                now,
                doubt(settled, written),
                new Times(
                        times.created().equals(times.claimed()) ? row.claimed().wall() : times.created(),
                        row.claimed().wall(),
                        settled == null ? null : settled.wall(),
                        row.expires()),
                row.replays(),
                entry.settlement());
        return new Stored(stored, limit, trail);
    }

    private @Nullable Doubt doubt(@Nullable Moment settled, Moment written) {
        Doubt doubt = entry.doubt();
        return doubt == null || !doubt.since().equals(written.wall())
                ? doubt
                : new Doubt(doubt.reason(), Objects.requireNonNull(settled).wall());
    }
}
