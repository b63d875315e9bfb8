package dev.idem.agent.cache;

import com.github.benmanes.caffeine.cache.Expiry;
import org.jspecify.annotations.Nullable;

/** A kept value, which may be null, and for how long it is kept. */
record Slot(@Nullable Object value, long nanos) {
    /** Each value has a time of its own, counted from when it was kept. */
    static final class Expiring implements Expiry<Spot, Slot> {
        @Override
        public long expireAfterCreate(Spot spot, Slot slot, long now) {
            return slot.nanos;
        }

        @Override
        public long expireAfterUpdate(Spot spot, Slot slot, long now, long left) {
            return slot.nanos;
        }

        @Override
        public long expireAfterRead(Spot spot, Slot slot, long now, long left) {
            return left;
        }
    }
}
