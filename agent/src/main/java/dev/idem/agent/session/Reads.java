package dev.idem.agent.session;

import dev.idem.Outcome;
import dev.idem.Provenance;
import dev.idem.WaitInterruptedException;
import dev.idem.agent.cache.Region;
import dev.idem.agent.cache.ToolCache;
import dev.idem.agent.tool.Tool;
import dev.idem.agent.tool.ToolAnswer;
import dev.idem.agent.tool.ToolRefusedException;
import dev.idem.spi.Effect;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The cached READs of a session: in a region of the session, or in a region that it shares with other sessions.
 */
final class Reads {
    private final String session;
    private final ReentrantLock making = new ReentrantLock();
    private final @Nullable ToolCache given;
    private final Common common;
    /** The names of the regions that the tools of this session share with other sessions. */
    private final Set<String> declared;

    /** Regions in use; they are kept here because the cache forgets unused ones. */
    private final Map<String, Region> shared = new ConcurrentHashMap<>();

    private volatile @Nullable Region region;

    Reads(String session, @Nullable ToolCache cache, Common common, Set<String> declared) {
        this.session = session;
        this.given = cache;
        this.common = common;
        this.declared = declared;
    }

    /** The cache that the sessions of one builder share if none was given. It is created on first use. */
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

    /** The cached answer, or the answer of the call. Failures are not cached. */
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

    /** Clears what may be out of date after a call of this tool, also what other sessions share and this one never reads. */
    void clearAfter(Tool tool) {
        tool.makesStale().forEach(name -> shared(name).clear());
        if (!tool.keepsReads()) {
            clear();
        }
    }

    private void clear() {
        declared.forEach(name -> shared(name).clear());
        Region known = region;
        if (known != null || given != null) {
            region().clear();
        }
    }

    @SuppressWarnings("NullAway") // null is a result like any other
    private static ToolAnswer replayed(Prepared call, Map<?, ?> kept) {
        Instant at = kept.get("at") instanceof Instant here ? here : Instant.parse(String.valueOf(kept.get("at")));
        Provenance from =
                new Provenance(call.address(), null, 1, at, at, null, Effect.NOOP, "from the cache", List.of());
        return new ToolAnswer.Replayed(call.tool().name(), new Outcome.Replayed<>(kept.get("value"), from));
    }

    /** A region that other sessions share. */
    private Region shared(String name) {
        return shared.computeIfAbsent(name, one -> (given == null ? common.cache() : given).region(one));
    }

    /** Created for the first cached READ: most sessions have none. */
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

    /** The read of this call, if it runs. */
    private static final class Own {
        private final Supplier<ToolAnswer> read;
        private @Nullable ToolAnswer answer;

        Own(Supplier<ToolAnswer> read) {
            this.read = read;
        }

        /** The result and its time, in a form that every store can keep. */
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
