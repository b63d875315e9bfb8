package dev.idem.jsonl;

import dev.idem.entry.Address;
import dev.idem.entry.Entry;
import dev.idem.entry.Fence;
import dev.idem.entry.Retention;
import dev.idem.entry.State;
import dev.idem.ledger.Fences;
import dev.idem.ledger.Step;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The steps that are written through together. Each sees what those before it did; nobody else sees any of it before
 * it is on the disk.
 */
final class Batch {
    private final Store store;
    private final LineBuffer buffer;
    private final long start;
    private final CRC32C sums = new CRC32C();
    private final List<Change> changes = new ArrayList<>();
    private final Map<Address, Optional<Entry>> after = new HashMap<>();
    private final Map<Long, Integer> replays = new HashMap<>();

    /** Made with the place in the file where its first line will be. */
    Batch(Store store, LineBuffer buffer, long start) {
        this.store = store;
        this.buffer = buffer;
        this.start = start;
        buffer.backTo(0);
    }

    /** The entry as it was written last, in this batch or before. */
    @Nullable
    Entry find(Address address) {
        Optional<Entry> here = after.get(address);
        return here != null ? here.orElse(null) : store.find(address);
    }

    Fences fences() {
        return () -> new Fence(store.nextFence());
    }

    /** Does what a step says, and gives its answer. */
    <A> A take(@Nullable Entry found, Step<A> step, @Nullable ResultText ready) {
        Entry put = step.put();
        if (put != null) {
            put(put, ready);
        } else if (step.remove() && found != null) {
            remove(found, LineHead.Kind.FORGOTTEN);
        }
        return step.answer();
    }

    void put(Entry entry, @Nullable ResultText ready) {
        int from = buffer.size();
        int sum;
        try {
            sum = EntryWriter.write(buffer, entry, ready);
        } catch (RuntimeException | OutOfMemoryError e) {
            // Half a line must not be written with the steps of others.
            buffer.backTo(from);
            throw e;
        }
        int count = (int) Math.min(Integer.MAX_VALUE, entry.replays());
        add(entry.address(), kind(entry.state()), from, sum, entry.fence().number(), due(entry), count);
        if (entry.replays() != 0) {
            // The line tells those that have waited as well.
            replays.put(entry.fence().number(), store.replays().of(entry.fence().number()));
        }
        after.put(entry.address(), Optional.of(entry));
    }

    void remove(Entry entry, LineHead.Kind why) {
        int from = buffer.size();
        int sum = EntryWriter.head(
                        buffer, entry.address(), why.word, entry.fence().number())
                .end();
        add(entry.address(), why, from, sum, entry.fence().number(), LineHead.NEVER, 0);
        replays.put(entry.fence().number(), Integer.MAX_VALUE);
        after.put(entry.address(), Optional.empty());
    }

    /** Writes down how often entries have answered. */
    int writeReplays() {
        for (Map.Entry<Long, ReplayCounts.Count> waiting :
                store.replays().waiting().entrySet()) {
            long fence = waiting.getKey();
            int times = waiting.getValue().times().get();
            Address address = waiting.getValue().address();
            Entry entry = find(address);
            if (entry != null && entry.fence().number() == fence) {
                int from = buffer.size();
                int total = (int) Math.min(Integer.MAX_VALUE, entry.replays());
                int sum = writeReplays(buffer, address, fence, total);
                add(address, LineHead.Kind.REPLAYED, from, sum, fence, LineHead.NEVER, total);
            }
            replays.put(fence, times);
        }
        return replays.size();
    }

    static int writeReplays(LineBuffer buffer, Address address, long fence, long total) {
        return EntryWriter.head(buffer, address, LineHead.Kind.REPLAYED.word, fence)
                .name("replays")
                .number(total)
                .end();
    }

    private void add(Address address, LineHead.Kind kind, int from, int sum, long fence, long due, int count) {
        AddressHash.Value hash = store.hashes().of(address);
        Trailer.add(sums, sum);
        changes.add(new Change(hash.high(), hash.low(), kind, start + from, buffer.size() - from, fence, due, count));
    }

    boolean isEmpty() {
        return changes.isEmpty();
    }

    int bytes() {
        return buffer.size();
    }

    /** Ends it with its trailer. */
    void end(long number, long high) {
        new Trailer(number, changes.size(), buffer.size(), high, (int) sums.getValue()).write(buffer);
    }

    List<Change> changes() {
        return changes;
    }

    /** What is at each address that was changed. */
    Map<Address, Optional<Entry>> after() {
        return after;
    }

    /** The replays that were written down, by fence. */
    Map<Long, Integer> replays() {
        return replays;
    }

    private static LineHead.Kind kind(State state) {
        return switch (state) {
            case IN_PROGRESS -> LineHead.Kind.IN_PROGRESS;
            case COMPLETE -> LineHead.Kind.COMPLETE;
            case FAILED -> LineHead.Kind.FAILED;
            case IN_DOUBT -> LineHead.Kind.IN_DOUBT;
            case EXPIRED -> LineHead.Kind.EXPIRED;
        };
    }

    /** When a purge has something to do with the entry next, as an opening would read it. */
    private static long due(Entry entry) {
        Instant expires = entry.times().expires();
        if (expires == null) {
            return LineHead.NEVER;
        }
        Retention retention = EntryWriter.retentionOf(entry.settlement());
        return LineHead.micros(
                entry.state() == State.EXPIRED && retention != null ? expires.plus(retention.tombstone()) : expires);
    }
}
