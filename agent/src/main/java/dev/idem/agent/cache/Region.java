package dev.idem.agent.cache;

import dev.idem.TypeRef;
import dev.idem.internal.key.Key;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The reads of one session. */
public final class Region {
    /** The longest time for which a result is kept. */
    public static final Duration LONGEST = Duration.ofDays(7);

    private final ToolCache cache;
    private final String name;
    private final AtomicLong generation = new AtomicLong();
    private final AtomicLong owed = new AtomicLong();
    private final AtomicLong told = new AtomicLong();

    Region(ToolCache cache, String name) {
        this.cache = cache;
        this.name = name;
    }

    public String name() {
        return name;
    }

    /**
     * The kept result of a call, or what the loader gives. Of those who miss at the same time one loads, and the others
     * get what it gets, its exception too. Null is a result like any other; an exception is not kept.
     *
     * @param key what the result depends on, such as the key of the arguments
     * @param ttl how long the result is good for, at most a week
     * @throws Exception what the loader throws
     */
    @SuppressWarnings({"unchecked", "NullAway"}) // what a tool's loader gives is a T, and null only where T allows it
    public <T extends @Nullable Object> T get(
            String tool, String key, Duration ttl, Class<?> type, Callable<? extends T> loader) throws Exception {
        return (T) cache.get(this, tool, key, good(ttl), type, loader);
    }

    /** The same, of a type with arguments. */
    @SuppressWarnings({"unchecked", "NullAway"})
    public <T extends @Nullable Object> T get(
            String tool, String key, Duration ttl, TypeRef<?> type, Callable<? extends T> loader) throws Exception {
        return (T) cache.get(this, tool, key, good(ttl), type.type(), loader);
    }

    /**
     * The key of arguments, whatever their order.
     *
     * @throws dev.idem.JsonException if they have no JSON form
     */
    public static String keyOf(String tool, @Nullable Object arguments) {
        return Key.derive("", tool, arguments).value();
    }

    /** Forgets all of it: something was written, and what was read before may not be true any more. */
    public void clear() {
        generation.incrementAndGet();
        cache.cleared(this);
    }

    /** The store has to be told that this region was cleared. */
    void owe() {
        owed.incrementAndGet();
    }

    /**
     * Tells the store what it has not been told yet.
     *
     * @return false when it can't be told: what it has kept is not to be believed
     */
    boolean settleDebt(CacheStore store) {
        long debt = owed.get();
        if (debt == told.get()) {
            return true;
        }
        try {
            store.clear(name);
            told.accumulateAndGet(debt, Math::max);
            return true;
        } catch (RuntimeException e) {
            System.getLogger("dev.idem.agent")
                    .log(Level.WARNING, "the shared cache could not be cleared and is passed over until it is", e);
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
