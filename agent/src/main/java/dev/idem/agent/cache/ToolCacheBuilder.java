package dev.idem.agent.cache;

import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Builds a {@link ToolCache}. All settings have a default. Not thread-safe. */
public final class ToolCacheBuilder {
    long maximumSize = 10_000;

    @Nullable
    CacheStore store;

    Duration near = Duration.ofSeconds(1);
    LongSupplier nanos = System::nanoTime;

    ToolCacheBuilder() {}

    /** Sets how many results this process caches; 10,000 by default. */
    public ToolCacheBuilder maximumSize(long results) {
        if (results < 0) {
            throw new IllegalArgumentException("a cache keeps at least 0 results, not " + results);
        }
        maximumSize = results;
        return this;
    }

    /** Sets the store that several processes share; none by default. */
    public ToolCacheBuilder store(CacheStore shared) {
        store = shared;
        return this;
    }

    /**
     * Sets how long this process caches a value of the store; 1 s by default, zero to ask the store every time. It notices
     * the clear of another process after this time.
     */
    public ToolCacheBuilder near(Duration age) {
        if (age.isNegative()) {
            throw new IllegalArgumentException("an age is not negative: " + age);
        }
        near = age;
        return this;
    }

    /** Sets the monotonic clock, in nanoseconds; for tests. */
    public ToolCacheBuilder nanos(LongSupplier clock) {
        nanos = clock;
        return this;
    }

    public ToolCache build() {
        return new ToolCache(this);
    }
}
