package dev.idem.agent.cache;

import java.lang.reflect.Type;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** Where several processes keep what they have read. Behind the cache of each process, and asked when that misses. */
public interface CacheStore {
    /**
     * The stored value, or what the loader gives, which is then stored. A store that can't be reached, or can't store
     * the value, calls the loader and says so by {@link Loaded#stored()}; it never fails a read by itself.
     *
     * @param type of the value, for stores that write it down
     * @throws Exception what the loader throws; errors are not stored
     */
    Loaded load(Place place, Duration ttl, Type type, Callable<? extends @Nullable Object> loader) throws Exception;

    /** Forgets what is stored in a region. What is being loaded at that moment is not found afterwards either. */
    void clear(String region);

    /** Where a value is kept. */
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
