package dev.idem.agent.cache;

import com.github.benmanes.caffeine.cache.Expiry;
import org.jspecify.annotations.Nullable;

/** A kept value, which may be null, and for how long it is kept. */
record CachedValue(@Nullable Object value, long nanos) {
    /** Each value has a time of its own, counted from when it was kept. */
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
