package dev.idem.agent.cache;

import java.util.concurrent.atomic.LongAdder;

/** Counts the events of a cache. */
final class Counting {
    final LongAdder hits = new LongAdder();
    final LongAdder storeHits = new LongAdder();
    final LongAdder loads = new LongAdder();
    final LongAdder failures = new LongAdder();
    final LongAdder unstored = new LongAdder();
    final LongAdder clears = new LongAdder();

    CacheStats stats(long shared) {
        return new CacheStats(
                hits.sum(), shared, storeHits.sum(), loads.sum(), failures.sum(), unstored.sum(), clears.sum());
    }
}
