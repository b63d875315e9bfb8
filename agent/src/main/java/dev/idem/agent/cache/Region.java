package dev.idem.agent.cache;

import dev.idem.Key;
import dev.idem.TypeRef;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The cached reads of one session, or of all sessions that share its name. Thread-safe. */
public final class Region {
    /** The longest time for which a result is kept. */
    public static final Duration LONGEST = Duration.ofDays(7);

    private final ToolCache cache;
    private final String name;
    private final AtomicLong generation = new AtomicLong();
    private final AtomicLong owed = new AtomicLong();
    private final AtomicLong paid = new AtomicLong();

    Region(ToolCache cache, String name) {
        this.cache = cache;
        this.name = name;
    }

    public String name() {
        return name;
    }

    /**
     * The cached result of a call, or the result of the loader. Of the callers that miss at the same time one loads; the
     * others get its result or its exception. Null is a result; an exception is not cached.
     *
     * @param key identifies the result, such as the key of the arguments
     * @param ttl how long the result is valid, at most a week
     * @throws IllegalArgumentException if the time is not positive, or longer than a week
     * @throws Exception that the loader throws
     */
    @SuppressWarnings({"unchecked", "NullAway"}) // what a tool's loader gives is a T, and null only where T allows it
    public <T extends @Nullable Object> T get(
            String tool, String key, Duration ttl, Class<?> type, Callable<? extends T> loader) throws Exception {
        return (T) cache.get(this, tool, key, good(ttl), type, loader);
    }

    /** The same, for a type with type arguments. */
    @SuppressWarnings({"unchecked", "NullAway"})
    public <T extends @Nullable Object> T get(
            String tool, String key, Duration ttl, TypeRef<?> type, Callable<? extends T> loader) throws Exception {
        return (T) cache.get(this, tool, key, good(ttl), type.type(), loader);
    }

    /**
     * The key of arguments. Their order makes no difference.
     *
     * @throws dev.idem.JsonException if they have no JSON form
     */
    public static String keyOf(String tool, @Nullable Object arguments) {
        return Key.derive("", tool, arguments).value();
    }

    /** Removes all values, after a write: they may be out of date. */
    public void clear() {
        generation.incrementAndGet();
        cache.cleared(this);
    }

    /** Notes that the store must be told of a clear. */
    void owe() {
        owed.incrementAndGet();
    }

    /**
     * Tells the store of the clears that it does not know yet.
     *
     * @return false if the store can't be reached: its values may be out of date
     */
    boolean settleDebt(CacheStore store) {
        long debt = owed.get();
        if (debt == paid.get()) {
            return true;
        }
        try {
            store.clear(name);
            paid.accumulateAndGet(debt, Math::max);
            return true;
        } catch (RuntimeException e) {
            System.Logger log = System.getLogger("dev.idem.agent");
            log.log(Level.WARNING, () -> "the shared cache could not be cleared and is passed over until it is: " + e);
            log.log(Level.DEBUG, "the shared cache could not be cleared", e);
            return false;
        }
    }

    long generation() {
        return generation.get();
    }

    private static Duration good(Duration ttl) {
        if (ttl.isNegative() || ttl.isZero() || ttl.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("a result is kept for up to a week, not for " + ttl);
        }
        return ttl;
    }
}
