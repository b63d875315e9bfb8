package dev.idem.jsonl;

import dev.idem.Address;
import dev.idem.jsonl.line.BodyText;
import dev.idem.jsonl.line.LineBuffer;
import dev.idem.jsonl.line.LineState;
import dev.idem.jsonl.line.LineWriter;
import dev.idem.jsonl.line.NewRow;
import dev.idem.jsonl.line.RowChange;
import dev.idem.jsonl.line.Slot;
import dev.idem.jsonl.line.Trailer;
import dev.idem.spi.EntryStore.Row;
import dev.idem.spi.Moment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The steps that are synced together. Each step sees the changes of the steps before it; no other thread sees them
 * before they are on the disk.
 */
final class WriteBatch {
    private final LedgerFile file;
    private final LineBuffer buffer;
    private final long start;
    private final CRC32C sums = new CRC32C();
    private final List<RowChange> changes = new ArrayList<>();
    private final Map<Address, Optional<Slot>> after = new HashMap<>();

    /** {@code start} is the offset of its first line in the file. */
    WriteBatch(LedgerFile file, LineBuffer buffer, long start) {
        this.file = file;
        this.buffer = buffer;
        this.start = start;
        buffer.clear();
    }

    /** The newest slot of a row, from this batch or before. */
    @Nullable
    Slot find(Address at) {
        Optional<Slot> here = after.get(at);
        return here != null ? here.orElse(null) : file.generation().index().find(at);
    }

    long nextFence() {
        return file.nextFence();
    }

    void put(NewRow next, BodyText body) {
        Row row = next.row();
        Slot slot = new Slot(0, 0, row.fence().number(), row.version(), row.state(), next.due(), row.replays(), null);
        add(
                LineState.of(row.state()),
                row.at(),
                slot,
                LineWriter.row(row, next.due()),
                row.document(),
                body.name(),
                body.value());
    }

    void remove(Address at, Slot slot) {
        add(LineState.PURGED, at, slot, LineWriter.purged(at, slot.fence()));
    }

    void renew(Address at, Slot slot, Moment lease) {
        add(LineState.RENEWED, at, slot.withLease(lease), LineWriter.renewed(at, slot.fence(), lease));
    }

    void countReplays(Address at, Slot slot, long replays) {
        add(LineState.REPLAYED, at, slot.withReplays(replays), LineWriter.replayed(at, slot.fence(), replays));
    }

    private void add(LineState word, Address at, Slot slot, byte[]... parts) {
        int from = buffer.size();
        int sum = buffer.line(parts);
        Trailer.add(sums, sum);
        RowChange change = new RowChange(word, at, slot.at(start + from, buffer.size() - from), sum);
        after.put(at, Optional.ofNullable(change.after(find(at))));
        changes.add(change);
    }

    boolean isEmpty() {
        return changes.isEmpty();
    }

    int bytes() {
        return buffer.size();
    }

    /** Appends the trailer. */
    void end(long number, long high) {
        new Trailer(number, changes.size(), buffer.size(), high, (int) sums.getValue()).write(buffer);
    }

    List<RowChange> changes() {
        return changes;
    }
}
