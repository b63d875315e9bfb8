package dev.idem.jsonl;

import dev.idem.entry.Address;
import dev.idem.entry.Entry;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** How often entries have answered since that was last written. A replay costs no write of its own. */
final class ReplayCounts {
    /** So many entries may wait; then their counts are written. */
    static final int MOST = 512;

    private final ConcurrentHashMap<Long, Count> counts = new ConcurrentHashMap<>();

    /** What one entry has answered. */
    record Count(Address address, AtomicInteger times) {}

    /** Counts a replay; true when it is time to write. */
    boolean add(Entry entry) {
        counts.computeIfAbsent(entry.fence().number(), fence -> new Count(entry.address(), new AtomicInteger()))
                .times
                .incrementAndGet();
        return counts.size() > MOST;
    }

    /** How often the entry with this fence has answered since. */
    int of(long fence) {
        if (counts.isEmpty()) {
            return 0;
        }
        Count count = counts.get(fence);
        return count == null ? 0 : count.times.get();
    }

    boolean isEmpty() {
        return counts.isEmpty();
    }

    /** What waits, by fence. */
    Map<Long, Count> waiting() {
        return counts;
    }

    /** They can't be written, and are forgotten. */
    void giveUp() {
        counts.clear();
    }

    /** So many were written; those that came meanwhile stay. */
    void written(long fence, int times) {
        counts.computeIfPresent(fence, (at, count) -> count.times.addAndGet(-times) <= 0 ? null : count);
    }
}
