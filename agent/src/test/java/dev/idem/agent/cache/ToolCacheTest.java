package dev.idem.agent.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.testkit.Race;
import dev.idem.testkit.Until;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ToolCacheTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final AtomicLong nanos = new AtomicLong();
    private final AtomicInteger loads = new AtomicInteger();
    private final ToolCache cache = ToolCache.builder().nanos(nanos::get).build();
    private final Region region = cache.region("task-1");

    @Test
    void aResultIsKeptForItsTime() throws Exception {
        assertThat(read(region, "ann")).isEqualTo("ann 1");
        assertThat(read(region, "ann")).isEqualTo("ann 1");
        nanos.addAndGet(MINUTE.toNanos() - 1);
        assertThat(read(region, "ann")).isEqualTo("ann 1");
        nanos.incrementAndGet();
        assertThat(read(region, "ann")).isEqualTo("ann 2");
    }

    @Test
    void eachResultHasATimeOfItsOwn() throws Exception {
        region.get("price", "short", Duration.ofSeconds(1), String.class, () -> "a");
        region.get("price", "long", MINUTE, String.class, () -> "b");
        nanos.addAndGet(Duration.ofSeconds(2).toNanos());

        assertThat(region.<String>get("price", "short", MINUTE, String.class, () -> "new"))
                .isEqualTo("new");
        assertThat(region.<String>get("price", "long", MINUTE, String.class, () -> "new"))
                .isEqualTo("b");
    }

    @Test
    void keysToolsAndRegionsDoNotMix() throws Exception {
        assertThat(read(region, "ann")).isEqualTo("ann 1");
        assertThat(read(region, "bob")).isEqualTo("bob 2");
        assertThat(read(cache.region("task-2"), "ann")).isEqualTo("ann 3");
        assertThat(region.<String>get("other", "ann", MINUTE, String.class, () -> "other"))
                .isEqualTo("other");
        assertThat(read(cache.region("task-1"), "ann")).isEqualTo("ann 1");
    }

    @Test
    void theKeyOfArgumentsIsCanonical() {
        assertThat(Region.keyOf("t", Map.of("a", 1, "b", 2L))).isEqualTo(Region.keyOf("t", Map.of("b", 2, "a", 1.0)));
        assertThat(Region.keyOf("t", Map.of("a", 1))).isNotEqualTo(Region.keyOf("u", Map.of("a", 1)));
    }

    @Test
    void nullIsAResult() throws Exception {
        Callable<String> loader = () -> {
            loads.incrementAndGet();
            return null;
        };

        assertThat(region.<String>get("find", "nobody", MINUTE, String.class, loader))
                .isNull();
        assertThat(region.<String>get("find", "nobody", MINUTE, String.class, loader))
                .isNull();
        assertThat(loads).hasValue(1);
    }

    @Test
    void anErrorIsNotKept() throws Exception {
        assertThatThrownBy(() -> region.get("lookup", "ann", MINUTE, String.class, () -> {
                    throw new IOException("down");
                }))
                .isInstanceOf(IOException.class);

        assertThat(read(region, "ann")).isEqualTo("ann 1");
        assertThat(cache.stats()).isEqualTo(new CacheStats(0, 0, 0, 2, 1, 0, 0));
    }

    @Test
    void aSettledWriteClearsTheSessionsReadsAndNoOthers() throws Exception {
        read(region, "ann");
        read(cache.region("task-2"), "ann");
        region.clear();

        assertThat(read(region, "ann")).isEqualTo("ann 3");
        assertThat(read(cache.region("task-2"), "ann")).isEqualTo("ann 2");
        assertThat(cache.stats().clears()).isEqualTo(1);
    }

    /** A read that began before a write may have seen the world before it. */
    @Test
    void whatWasBeingLoadedWhenTheRegionWasClearedIsNotKept() throws Exception {
        region.get("lookup", "ann", MINUTE, String.class, () -> {
            region.clear();
            return "before the write";
        });

        assertThat(read(region, "ann")).isEqualTo("ann 1");
    }

    @Test
    void allWhoMissTogetherShareOneLoad() {
        CountDownLatch everybodyAsked = new CountDownLatch(1);
        Callable<String> loader = () -> {
            everybodyAsked.await();
            return "value " + loads.incrementAndGet();
        };
        CompletableFuture<Void> opener = CompletableFuture.runAsync(() -> {
            Until.isTrue("all others wait", () -> cache.stats().shared() == 199);
            everybodyAsked.countDown();
        });
        List<String> values = Race.of(200, () -> region.<String>get("lookup", "ann", MINUTE, String.class, loader));

        opener.join();
        assertThat(values).hasSize(200).containsOnly("value 1");
        assertThat(cache.stats()).isEqualTo(new CacheStats(0, 199, 0, 1, 0, 0, 0));
    }

    @Test
    void thoseWhoWaitGetTheExceptionToo() {
        CountDownLatch everybodyAsked = new CountDownLatch(1);
        CompletableFuture<Void> opener = CompletableFuture.runAsync(() -> {
            Until.isTrue("the other waits", () -> cache.stats().shared() == 1);
            everybodyAsked.countDown();
        });
        List<Object> thrown = Race.of(2, () -> {
            try {
                return region.get("lookup", "ann", MINUTE, String.class, () -> {
                    everybodyAsked.await();
                    throw new IOException("down " + loads.incrementAndGet());
                });
            } catch (IOException e) {
                return e;
            }
        });

        opener.join();
        assertThat(thrown.get(0)).isInstanceOf(IOException.class).isSameAs(thrown.get(1));
    }

    @Test
    void aLoadThatWaitsForItselfIsRefused() {
        assertThatThrownBy(() -> region.get("lookup", "ann", MINUTE, String.class, () -> read(region, "ann")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("waits for itself");
    }

    @Test
    void itHoldsNoMoreThanItMay() throws Exception {
        ToolCache small = ToolCache.builder().maximumSize(10).build();
        for (int i = 0; i < 1_000; i++) {
            read(small.region("task-1"), "key " + i);
        }
        for (int i = 0; i < 1_000; i++) {
            read(small.region("task-1"), "key " + i);
        }

        assertThat(small.stats().hits()).isLessThan(200);
    }

    @Test
    void aTimeThatMakesNoSenseIsRefused() {
        for (Duration ttl : List.of(Duration.ZERO, Duration.ofSeconds(-1), Duration.ofDays(8))) {
            assertThatThrownBy(() -> region.get("t", "k", ttl, String.class, () -> "x"))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    private String read(Region from, String key) throws Exception {
        return from.get("lookup", key, MINUTE, String.class, () -> key + " " + loads.incrementAndGet());
    }
}
