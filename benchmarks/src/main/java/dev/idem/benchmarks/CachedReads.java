package dev.idem.benchmarks;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.idem.agent.cache.Region;
import dev.idem.agent.cache.ToolCache;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;

/** A read that is answered by the cache of its session, beside a hit in a bare Caffeine cache that expires too. */
final class CachedReads implements Scenario {
    private static final int KEYS = 256;
    private static final int ROUNDS = 400;
    private static final Duration TTL = Duration.ofMinutes(5);

    private final String[] keys = new String[KEYS];
    private final Cache<String, String> bare =
            Caffeine.newBuilder().maximumSize(10_000).expireAfterWrite(TTL).build();
    private final Region region = ToolCache.standard().region("task-1");
    private final Callable<String> loader = () -> "found";

    @Override
    public String name() {
        return "memory, cached reads";
    }

    @Override
    public List<Row> run(Effort effort) throws Exception {
        for (int i = 0; i < KEYS; i++) {
            keys[i] = Region.keyOf("lookup", Map.of("customer", "cus_" + i));
            bare.put(keys[i], "found");
        }
        Turns given = Turns.take(effort, round -> timed(this::cached), round -> timed(this::caffeine));
        Turns derived = Turns.take(effort, round -> timed(this::derived), round -> timed(this::caffeine));
        return List.of(
                row("cached read, given key | a hit in bare Caffeine", given),
                row("cached read, key of the arguments | the same", derived));
    }

    private static Row row(String path, Turns turns) {
        double more = turns.median(Turns::measured) - turns.median(Turns::floor);
        return Row.withoutPromise(
                path, nanos(turns.median(Turns::measured)), nanos(turns.median(Turns::floor)), "+ " + nanos(more));
    }

    private static String nanos(double value) {
        return Units.format("%.0f ns", value);
    }

    /** Nanoseconds a hit. */
    private static double timed(Callable<Integer> hits) throws Exception {
        long from = System.nanoTime();
        int seen = 0;
        for (int i = 0; i < ROUNDS; i++) {
            seen += hits.call();
        }
        double nanos = System.nanoTime() - from;
        if (seen != ROUNDS * KEYS * "found".length()) {
            throw new AssertionError("a hit gave something else");
        }
        return nanos / ROUNDS / KEYS;
    }

    private int caffeine() {
        int length = 0;
        for (String key : keys) {
            String found = bare.getIfPresent(key);
            length += found == null ? 0 : found.length();
        }
        return length;
    }

    private int cached() throws Exception {
        int length = 0;
        for (String key : keys) {
            length +=
                    region.<String>get("lookup", key, TTL, String.class, loader).length();
        }
        return length;
    }

    private int derived() throws Exception {
        int length = 0;
        for (int i = 0; i < KEYS; i++) {
            String key = Region.keyOf("lookup", Map.of("customer", "cus_" + i));
            length +=
                    region.<String>get("lookup", key, TTL, String.class, loader).length();
        }
        return length;
    }
}
