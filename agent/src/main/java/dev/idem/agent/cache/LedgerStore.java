package dev.idem.agent.cache;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.idem.Address;
import dev.idem.Idem;
import dev.idem.Key;
import dev.idem.Outcome;
import dev.idem.Policy;
import dev.idem.TypeRef;
import java.lang.System.Logger.Level;
import java.lang.reflect.Type;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Shares reads through a ledger. A load is an idempotent operation: one process loads, and the others wait for it or
 * replay it, for as long as the result is valid. Thread-safe.
 *
 * <p>A region has a generation, which is part of the keys. A clear claims the next number; a reader looks for a higher
 * one. The numbers are kept for 30 days and start again every ten days; then all values are read again. If the clocks of
 * hosts differ, a host that is behind may miss a clear at that moment.
 */
public final class LedgerStore implements CacheStore {
    private static final String READ = "idem.cache";
    private static final String CLEARED = "idem.cache.cleared";
    private static final Duration KEPT = Duration.ofDays(30);
    private static final Duration PERIOD = Duration.ofDays(10);

    private final Idem idem;
    private final InstantSource clock;
    private final Cache<Period, Long> generations =
            Caffeine.newBuilder().maximumSize(10_000).build();

    /** The time in which the clears of a region are counted from 1. All markers still exist at its end. */
    private record Period(String region, long number) {
        Generation generation(long clears) {
            return new Generation(this, clears);
        }
    }

    private record Generation(Period period, long clears) {
        Address marker() {
            return new Address(period.region(), CLEARED, period.number() + "." + clears);
        }
    }

    private LedgerStore(Idem idem, InstantSource clock) {
        this.idem = idem;
        this.clock = clock;
    }

    /** Shares through the ledger that Idem was opened on. */
    public static LedgerStore on(Idem idem) {
        return new LedgerStore(idem, InstantSource.system());
    }

    /** The wall clock. */
    public LedgerStore clock(InstantSource source) {
        return new LedgerStore(idem, source);
    }

    @Override
    @SuppressWarnings("NullAway") // an action may give null where its type is nullable, which a lambda can't say
    public Loaded load(Place place, Duration ttl, Type type, Callable<? extends @Nullable Object> loader)
            throws Exception {
        Load load = new Load(loader);
        try {
            Generation now = generation(place.region());
            Map<String, Object> read = Map.of(
                    "period", now.period().number(), "clears", now.clears(), "tool", place.tool(), "key", place.key());
            String key = Key.derive(place.region(), READ, read).value();
            Outcome<@Nullable Object> outcome = idem.operation(READ)
                    .scope(place.region())
                    .key(key)
                    .label("tool", place.tool())
                    .policy(Policy.idempotent().retention(ttl))
                    .returning(TypeRef.of(type))
                    .attempt(call -> load.run());
            if (outcome instanceof Outcome.Valued<@Nullable Object> valued) {
                return new Loaded(valued.value(), valued.replayed(), true);
            }
        } catch (RuntimeException e) {
            System.Logger log = System.getLogger("dev.idem.agent");
            log.log(Level.WARNING, () -> "the shared cache was passed over: " + e);
            log.log(Level.DEBUG, "the shared cache was passed over", e);
        }
        return load.withoutTheStore();
    }

    @Override
    public void clear(String region) {
        Generation now = generation(region);
        long next = now.clears() + 1;
        while (!writesMarker(region, now.period().generation(next).marker())) {
            next++;
        }
        generations.put(now.period(), next);
    }

    /** Whether this call has written the marker, and no earlier one. */
    private boolean writesMarker(String region, Address marker) {
        AtomicBoolean written = new AtomicBoolean();
        idem.operation(CLEARED)
                .scope(region)
                .key(marker.key())
                .policy(Policy.unset().retention(KEPT))
                .observe(seen -> written.set(!seen.replayed()))
                .run(call -> "cleared");
        return written.get();
    }

    /** How many times the region was cleared in this period, by any process. */
    private Generation generation(String region) {
        Period now = new Period(region, Math.floorDiv(clock.millis(), PERIOD.toMillis()));
        Long known = generations.getIfPresent(now);
        long clears = known == null ? 0 : known;
        while (idem.find(now.generation(clears + 1).marker()).isPresent()) {
            clears++;
        }
        generations.put(now, clears);
        return now.generation(clears);
    }

    /** A load that runs at most once, even if the ledger fails meanwhile. */
    private static final class Load {
        private final Callable<? extends @Nullable Object> loader;
        private boolean ran;
        private @Nullable Object value;
        private @Nullable Exception thrown;
        private @Nullable Error broken;

        Load(Callable<? extends @Nullable Object> loader) {
            this.loader = loader;
        }

        @Nullable
        Object run() throws Exception {
            ran = true;
            try {
                value = loader.call();
                return value;
            } catch (Exception e) {
                thrown = e;
                throw e;
            } catch (Error e) {
                broken = e;
                throw e;
            }
        }

        Loaded withoutTheStore() throws Exception {
            if (thrown != null) {
                throw thrown;
            } else if (broken != null) {
                throw broken;
            }
            return new Loaded(ran ? value : loader.call(), false, false);
        }
    }
}
