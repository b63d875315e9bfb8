package dev.idem.agent.cache;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Expiry;
import dev.idem.agent.internal.SingleFlight;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Caches the results of reads. Thread-safe: one cache serves all sessions, and each session has its own {@link Region}.
 * Callers share the values: do not change them.
 *
 * <pre>{@code
 * Region reads = ToolCache.standard().region("order-flow-abc123");
 * String key = Region.keyOf("lookup", Map.of("customer", "cus_1"));
 * String name = reads.get("lookup", key, Duration.ofMinutes(5), String.class, () -> customers.find("cus_1"));
 * }</pre>
 */
public final class ToolCache {
    private final Cache<CacheKey, CachedValue> kept;
    private final Cache<String, Region> regions;
    /** Of the callers that miss at the same time, the first loads, in its own thread. */
    private final SingleFlight<CacheKey, CachedValue> loading = new SingleFlight<>(Runnable::run);

    private final @Nullable CacheStore store;
    private final long nearNanos;
    private final Counting counting = new Counting();

    ToolCache(ToolCacheBuilder builder) {
        this.store = builder.store;
        this.nearNanos = builder.store == null ? Long.MAX_VALUE : builder.near.toNanos();
        this.kept = Caffeine.newBuilder()
                .maximumSize(builder.maximumSize)
                .expireAfter(new CachedValue.Expiring())
                .ticker(builder.nanos::getAsLong)
                .build();
        // A region lives as long as a caller or a cached value refers to it.
        this.regions = Caffeine.newBuilder().weakValues().build();
    }

    /** At most 10,000 results, in this process only. */
    public static ToolCache standard() {
        return builder().build();
    }

    /** A builder for a cache with other settings. */
    public static ToolCacheBuilder builder() {
        return new ToolCacheBuilder();
    }

    /** The region with this name. The same name gives the same region. */
    public Region region(String name) {
        return regions.get(name, one -> new Region(this, one));
    }

    /** Counts the events since the cache was made. */
    public CacheStats stats() {
        return counting.stats(loading.counts().shared());
    }

    @Nullable
    Object get(
            Region region,
            String tool,
            String key,
            Duration ttl,
            Type type,
            Callable<? extends @Nullable Object> loader)
            throws Exception {
        CacheKey spot = new CacheKey(region, region.generation(), tool, key);
        CachedValue slot = kept.getIfPresent(spot);
        if (slot != null) {
            counting.hits.increment();
            return slot.value();
        }
        return loading.call(spot, () -> {
                    CachedValue landed = kept.getIfPresent(spot);
                    if (landed != null) {
                        // Another load has ended between the two looks.
                        counting.hits.increment();
                        return landed;
                    }
                    CachedValue loaded = load(region, tool, key, ttl, type, loader);
                    kept.put(spot, loaded);
                    return loaded;
                })
                .value();
    }

    private CachedValue load(
            Region region,
            String tool,
            String key,
            Duration ttl,
            Type type,
            Callable<? extends @Nullable Object> loader)
            throws Exception {
        Callable<@Nullable Object> counted = () -> {
            counting.loads.increment();
            try {
                return loader.call();
            } catch (Exception | Error thrown) {
                counting.failures.increment();
                throw thrown;
            }
        };
        if (store == null) {
            return new CachedValue(counted.call(), ttl.toNanos());
        }
        if (!region.settleDebt(store)) {
            counting.unstored.increment();
            return new CachedValue(counted.call(), Math.min(ttl.toNanos(), nearNanos));
        }
        CacheStore.Loaded loaded = store.load(new CacheStore.Place(region.name(), tool, key), ttl, type, counted);
        if (loaded.found()) {
            counting.storeHits.increment();
        } else if (!loaded.stored()) {
            counting.unstored.increment();
        }
        return new CachedValue(loaded.value(), Math.min(ttl.toNanos(), nearNanos));
    }

    void cleared(Region region) {
        counting.clears.increment();
        if (store != null) {
            region.owe();
            region.settleDebt(store);
        }
    }

    /** A cached value, which may be null, and its time to live. */
    private record CachedValue(@Nullable Object value, long nanos) {
        /** Each value has its own time to live, counted from when it was stored. */
        static final class Expiring implements Expiry<CacheKey, CachedValue> {
            @Override
            public long expireAfterCreate(CacheKey spot, CachedValue slot, long now) {
                return slot.nanos;
            }

            @Override
            public long expireAfterUpdate(CacheKey spot, CachedValue slot, long now, long left) {
                return slot.nanos;
            }

            @Override
            public long expireAfterRead(CacheKey spot, CachedValue slot, long now, long left) {
                return left;
            }
        }
    }

    /** Counts the events of a cache. */
    private static final class Counting {
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

    /**
     * The place of a value in this process. It belongs to one generation of its region: after a clear, no caller asks for the
     * old places, and a load that was running then ends in one of them.
     */
    private record CacheKey(Region region, long generation, String tool, String key) {
        /** Shows no arguments. */
        @Override
        public String toString() {
            return tool;
        }
    }
}
