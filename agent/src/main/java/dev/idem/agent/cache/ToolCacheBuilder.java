package dev.idem.agent.cache;

import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Makes a {@link ToolCache}. Everything has a default. */
public final class ToolCacheBuilder {
    long maximumSize = 10_000;

    @Nullable
    CacheStore store;

    Duration near = Duration.ofSeconds(1);
    LongSupplier nanos = System::nanoTime;

    ToolCacheBuilder() {}

    /** How many results this process keeps; 10,000 unless told. */
    public ToolCacheBuilder maximumSize(long results) {
        if (results < 0) {
            throw new IllegalArgumentException("a cache keeps at least 0 results, not " + results);
        }
        maximumSize = results;
        return this;
    }

    /** Where several processes share what they have read. */
    public ToolCacheBuilder store(CacheStore shared) {
        store = shared;
        return this;
    }

    /**
     * With a store: how long this process answers by itself before it asks the store again, and so how late it may
     * notice that another process has cleared a region; 1 s unless told, zero to ask every time.
     */
    public ToolCacheBuilder near(Duration age) {
        if (age.isNegative()) {
            throw new IllegalArgumentException("an age is not negative: " + age);
        }
        near = age;
        return this;
    }

    /** The monotonic clock, in nanoseconds. */
    public ToolCacheBuilder nanos(LongSupplier clock) {
        nanos = clock;
        return this;
    }

    public ToolCache build() {
        return new ToolCache(this);
    }
}
