package dev.idem.agent.cache;

import com.github.benmanes.caffeine.cache.Expiry;
import org.jspecify.annotations.Nullable;

/** A cached value, which may be null, and its time to live. */
record CachedValue(@Nullable Object value, long nanos) {
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
