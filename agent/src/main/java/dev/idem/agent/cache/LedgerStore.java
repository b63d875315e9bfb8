package dev.idem.agent.cache;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.idem.Idem;
import dev.idem.call.Outcome;
import dev.idem.call.SideEffect;
import dev.idem.codec.TypeRef;
import dev.idem.entry.Address;
import dev.idem.key.Key;
import java.lang.System.Logger.Level;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * Shares reads through a ledger: a load is an idempotent operation, so one process loads and the others wait for it or
 * replay it, for as long as the result is good.
 *
 * <p>A region has a generation, which is part of the keys. Clearing it claims the next number; who reads looks whether
 * there is one. Both are kept for 30 days, so a region should not be used for longer.
 */
public final class LedgerStore implements CacheStore {
    private static final String READ = "idem.cache";
    private static final String CLEARED = "idem.cache.cleared";
    private static final Duration KEPT = Duration.ofDays(30);

    private final Idem idem;
    private final Cache<String, Long> generations =
            Caffeine.newBuilder().maximumSize(10_000).build();

    private LedgerStore(Idem idem) {
        this.idem = idem;
    }

    /** Shares through the ledger that Idem was opened on. */
    public static LedgerStore on(Idem idem) {
        return new LedgerStore(idem);
    }

    @Override
    @SuppressWarnings("NullAway") // an action may give null where its type is nullable, which a lambda can't say
    public Loaded load(Place place, Duration ttl, Type type, Callable<? extends @Nullable Object> loader)
            throws Exception {
        Load load = new Load(loader);
        try {
            String key = Key.derive(place.tool(), Long.toString(generation(place.region()) + 1), place.key())
                    .value();
            Outcome<@Nullable Object> outcome = idem.operation(READ)
                    .scope(place.region())
                    .key(key)
                    .label("tool", place.tool())
                    .sideEffect(SideEffect.IDEMPOTENT)
                    .retention(ttl)
                    .returning(TypeRef.of(type))
                    .attempt(call -> load.run());
            if (outcome instanceof Outcome.Valued<@Nullable Object> valued) {
                return new Loaded(valued.value(), valued.replayed(), true);
            }
        } catch (RuntimeException e) {
            System.getLogger("dev.idem.agent")
                    .log(Level.WARNING, "the shared cache was passed over: " + e.getMessage(), e);
        }
        return load.withoutTheStore();
    }

    @Override
    public void clear(String region) {
        long next = generation(region) + 1;
        while (idem.operation(CLEARED)
                .scope(region)
                .key(Long.toString(next))
                .retention(KEPT)
                .run(call -> "cleared")
                .replayed()) {
            next++;
        }
        generations.put(region, next);
    }

    /** How often the region was cleared, by anybody. */
    private long generation(String region) {
        Long known = generations.getIfPresent(region);
        long generation = known == null ? 0 : known;
        while (idem.find(new Address(region, CLEARED, Long.toString(generation + 1)))
                .isPresent()) {
            generation++;
        }
        generations.put(region, generation);
        return generation;
    }

    /** A load that runs at most once, whatever becomes of the ledger meanwhile. */
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
