package dev.idem.agent.cache;

import java.lang.reflect.Type;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** A store that several processes share, behind the cache of each. It is asked when that cache misses. */
public interface CacheStore {
    /**
     * The stored value, or the value of the loader, which is then stored. A store that can't be reached, or can't store
     * the value, calls the loader and reports it by {@link Loaded#stored()}; it never fails a read.
     *
     * @param type of the value, for stores that write it down
     * @throws Exception that the loader throws; it is not stored
     */
    Loaded load(Place place, Duration ttl, Type type, Callable<? extends @Nullable Object> loader) throws Exception;

    /** Removes the values of a region. A load that is running now is not found afterwards either. */
    void clear(String region);

    /** The place of a value. */
    record Place(String region, String tool, String key) {}

    /**
     * A value that was found or loaded.
     *
     * @param found whether it had been stored before
     * @param stored whether it is in the store now
     */
    record Loaded(@Nullable Object value, boolean found, boolean stored) {
        /** Shows no values. */
        @Override
        public String toString() {
            return "Loaded[" + (found ? "found" : "loaded") + (stored ? "" : ", not stored") + "]";
        }
    }
}
