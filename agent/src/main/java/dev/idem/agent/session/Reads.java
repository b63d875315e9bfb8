package dev.idem.agent.session;

import dev.idem.Outcome;
import dev.idem.Provenance;
import dev.idem.WaitInterruptedException;
import dev.idem.agent.cache.Region;
import dev.idem.agent.cache.ToolCache;
import dev.idem.agent.tool.ToolAnswer;
import dev.idem.agent.tool.ToolRefusedException;
import dev.idem.spi.Effect;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What the READs of a session have given, for as long as their tools say that it is good: in a region of the session's
 * own, or in one that it shares with others.
 */
final class Reads {
    private final String session;
    private final ReentrantLock making = new ReentrantLock();
    private final @Nullable ToolCache given;
    private final Common common;
    private final Map<String, Region> shared = new ConcurrentHashMap<>();
    private volatile @Nullable Region region;
    private volatile boolean wrote;

    Reads(String session, @Nullable ToolCache cache, Common common) {
        this.session = session;
        this.given = cache;
        this.common = common;
    }

    /** The cache that sessions of one builder share where none was given; made when it is first needed. */
    static final class Common {
        private final ReentrantLock making = new ReentrantLock();
        private @Nullable ToolCache cache;

        ToolCache cache() {
            making.lock();
            try {
                ToolCache known = cache == null ? ToolCache.standard() : cache;
                cache = known;
                return known;
            } finally {
                making.unlock();
            }
        }
    }

    /** The kept answer, or what the call gives. Failures are not kept. */
    ToolAnswer get(Prepared call, Duration ttl, Supplier<ToolAnswer> read) {
        Own own = new Own(read);
        try {
            Region of = call.tool().sharedIn().map(this::shared).orElseGet(this::region);
            Map<?, ?> kept = of.get(call.tool().name(), call.readKey(), ttl, Map.class, own::read);
            ToolAnswer answer = own.answer;
            return answer != null ? answer : replayed(call, kept);
        } catch (ToolRefusedException e) {
            return e.answer();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new WaitInterruptedException(call.address(), e);
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException("the cache of '" + call.tool().name() + "' failed: " + e.getMessage(), e);
        }
    }

    /** Something was written: what was read before may not be true any more. */
    void clear() {
        wrote = true;
        shared.values().forEach(Region::clear);
        Region known = region;
        if (known != null || given != null) {
            region().clear();
        }
    }

    @SuppressWarnings("NullAway") // null is a result like any other
    private static ToolAnswer replayed(Prepared call, Map<?, ?> kept) {
        Instant at = kept.get("at") instanceof Instant here ? here : Instant.parse(String.valueOf(kept.get("at")));
        Provenance from = new Provenance(call.address(), null, 1, at, at, Effect.NOOP, "from the cache", List.of());
        return new ToolAnswer.Replayed(call.tool().name(), new Outcome.Replayed<>(kept.get("value"), from));
    }

    /** A region that others share. What they have read in it before this session wrote is not good for this one. */
    private Region shared(String name) {
        Region known = shared.get(name);
        if (known != null) {
            return known;
        }
        Region first = (given == null ? common.cache() : given).region(name);
        // In this order: a write that comes between the two lines finds it.
        shared.put(name, first);
        if (wrote) {
            first.clear();
        }
        return first;
    }

    /** Made with the first READ that is kept: most sessions have none. */
    private Region region() {
        Region known = region;
        if (known != null) {
            return known;
        }
        making.lock();
        try {
            known = region;
            if (known == null) {
                known = (given == null ? ToolCache.standard() : given).region(session);
                region = known;
            }
            return known;
        } finally {
            making.unlock();
        }
    }

    /** The read of this very call, if it comes to that. */
    private static final class Own {
        private final Supplier<ToolAnswer> read;
        private @Nullable ToolAnswer answer;

        Own(Supplier<ToolAnswer> read) {
            this.read = read;
        }

        /** A result, and when it was read, in a form that any store can keep. */
        Map<String, @Nullable Object> read() {
            ToolAnswer given = read.get();
            answer = given;
            Map<String, @Nullable Object> kept = new HashMap<>();
            kept.put("value", given.value());
            kept.put("at", ((ToolAnswer.Ran) given).outcome().executedAt());
            return kept;
        }
    }
}
