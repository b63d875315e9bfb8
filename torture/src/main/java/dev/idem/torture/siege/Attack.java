package dev.idem.torture.siege;

import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** What attackers do, all of one kind at a time and at a fixed rate. */
public enum Attack {
    /** They come again and again, and have no token. They are fewer than may be here without one. */
    STRANGERS(null) {
        @Override
        Crowd.Plan plan(World world) {
            return new Crowd.Plan(1500, EVERY, same("/v1/hello", "idemtoken_none", "{}"));
        }
    },
    /** They wait for a call that does not end, many at the same moment. */
    WAITS("waits") {
        @Override
        Crowd.Plan plan(World world) {
            String wait = "{\"scope\":\"siege\",\"operation\":\"pay\",\"key\":\"in-flight\",\"fence\":\""
                    + world.fence() + "\"}";
            return new Crowd.Plan(
                    10_000, 500, Duration.ofSeconds(20), same("/v1/wait", world.attacker(), wait), 0, false);
        }
    },
    /** They read a large result, half of them slowly. */
    READERS("large (results|answers)") {
        @Override
        Crowd.Plan plan(World world) {
            String result = "{\"scope\":\"siege\",\"operation\":\"pay\",\"key\":\"large\"}";
            return new Crowd.Plan(30, 30, EVERY, same("/v1/result", world.attacker(), result), 15, false);
        }
    },
    /** They count all entries of their scope. */
    COUNTERS("looks at many entries") {
        @Override
        Crowd.Plan plan(World world) {
            return new Crowd.Plan(
                    60,
                    60,
                    Duration.ofSeconds(1),
                    number -> Wire.request(number % 2 == 0 ? "/v1/stats" : "/v1/counts", world.attacker(), "{}"),
                    0,
                    false);
        }
    },
    /** They ask for the longest pages. */
    BROWSERS("looks at many entries") {
        @Override
        Crowd.Plan plan(World world) {
            return new Crowd.Plan(300, 300, EVERY, same("/v1/browse", world.attacker(), "{\"limit\":1000}"), 0, false);
        }
    },
    /** They open streams of events, which is a look each, and leave without a goodbye. */
    LISTENERS("streams of events|looks at many entries") {
        @Override
        Crowd.Plan plan(World world) {
            return new Crowd.Plan(500, 10, EVERY.multipliedBy(4), same("/v1/events", world.reader(), ""), 0, true);
        }
    },
    /** They name a ledger with a path of 60 KB. No limit of the server is met: each of them is refused. */
    PATHS(null) {
        @Override
        Crowd.Plan plan(World world) {
            String hello = "{\"ledger\":\"sqlite:" + "/a".repeat(30_000) + "\"}";
            return new Crowd.Plan(150, Duration.ofSeconds(1), same("/v1/hello", world.attacker(), hello));
        }
    },
    /** They send claims with labels of 5 MB: one of them large, or many that are small. */
    LABELS("large (bodies|requests)") {
        @Override
        Crowd.Plan plan(World world) {
            byte[] one = claim(world, "\"l\":\"" + "x".repeat(LARGE) + "\"");
            byte[] many = claim(
                    world,
                    IntStream.range(0, LARGE / 13)
                            .mapToObj(i -> String.format(Locale.ROOT, "\"%06d\":\"v\"", i))
                            .collect(Collectors.joining(",")));
            return new Crowd.Plan(20, 20, EVERY, number -> number % 2 == 0 ? one : many, 0, false);
        }
    },
    /** They guess tokens at the console, 40 a second. */
    GUESSERS("wrong tokens") {
        @Override
        Crowd.Plan plan(World world) {
            return new Crowd.Plan(
                    40, Duration.ofSeconds(1), same("/console/sign-in", "", "{\"token\":\"idemtoken_wrong\"}"));
        }
    };

    private static final Duration EVERY = Duration.ofSeconds(5);
    private static final int LARGE = 5_000_000;

    private final @Nullable String limit;

    Attack(@Nullable String limit) {
        this.limit = limit;
    }

    /**
     * What attackers know.
     *
     * @param attacker a token that may read and act in one scope
     * @param reader a token that may read there
     * @param fence of a call in flight there
     */
    record World(String attacker, String reader, String fence) {}

    abstract Crowd.Plan plan(World world);

    /** What the log says of the limit that it meets, as a regular expression; null if it meets none. */
    @Nullable
    String limit() {
        return limit;
    }

    /** The name for people. */
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    static Set<Attack> parse(String words) {
        return Arrays.stream(words.split(",", -1))
                .map(word -> valueOf(word.toUpperCase(Locale.ROOT)))
                .collect(Collectors.toCollection(() -> EnumSet.noneOf(Attack.class)));
    }

    private static IntFunction<byte[]> same(String path, String token, String body) {
        byte[] request = Wire.request(path, token, body);
        return number -> request;
    }

    private static byte[] claim(World world, String labels) {
        return Wire.request(
                "/v1/claim",
                world.attacker(),
                "{\"scope\":\"siege\",\"operation\":\"pay\",\"key\":\"labels\",\"attempt_id\":\""
                        + UUID.randomUUID().toString().replace("-", "") + "\",\"labels\":{" + labels + "}}");
    }
}
