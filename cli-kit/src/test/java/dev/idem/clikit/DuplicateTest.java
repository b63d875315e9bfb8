package dev.idem.clikit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DuplicateTest {
    private final Shop shop = new Shop();
    private final ExecutorService others = Executors.newCachedThreadPool();
    private final CountDownLatch acting = new CountDownLatch(1);
    private final CountDownLatch goOn = new CountDownLatch(1);
    private final AtomicInteger runs = new AtomicInteger();

    @AfterEach
    void stop() {
        goOn.countDown();
        others.shutdownNow();
    }

    @Test
    void aRunningDuplicateIsReportedWithTheTimeToWait() throws Exception {
        Future<Ran> running = startSlowly();
        Ran duplicate = shop.run("act", "--idempotency-key", "k1", "--wait", "0");

        assertThat(duplicate.exit()).isEqualTo(4);
        assertThat(duplicate.error().get("code")).isEqualTo("IN_FLIGHT");
        assertThat(duplicate.error().get("retryable")).isEqualTo(true);
        assertThat((Long) duplicate.error().get("retry_after_ms")).isBetween(100L, 5000L);
        goOn.countDown();
        assertThat(running.get(60, TimeUnit.SECONDS).effect()).isEqualTo("created");
        assertThat(runs).hasValue(1);
    }

    @Test
    void aRunningDuplicateIsWaitedForAndReplayed() throws Exception {
        Future<Ran> running = startSlowly();
        Future<Ran> waiting = others.submit(() -> shop.run("act", "--idempotency-key", "k1", "--wait", "10"));
        goOn.countDown();

        assertThat(running.get(60, TimeUnit.SECONDS).effect()).isEqualTo("created");
        assertThat(waiting.get(60, TimeUnit.SECONDS).effect()).isEqualTo("noop");
        assertThat(runs).hasValue(1);
    }

    @Test
    void sixteenAtOnceRunItOnce() throws Exception {
        shop.act = call -> runs.incrementAndGet();
        CyclicBarrier gate = new CyclicBarrier(16);
        List<Future<Ran>> all = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
            all.add(others.submit(() -> {
                gate.await();
                return shop.run("act", "--idempotency-key", "k1");
            }));
        }
        List<Object> effects = new ArrayList<>();
        for (Future<Ran> each : all) {
            effects.add(each.get(60, TimeUnit.SECONDS).effect());
        }

        assertThat(runs).hasValue(1);
        assertThat(effects).containsOnlyOnce("created").contains("noop");
    }

    private Future<Ran> startSlowly() throws InterruptedException {
        shop.act = call -> {
            runs.incrementAndGet();
            acting.countDown();
            try {
                assertThat(goOn.await(60, TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            return "acted";
        };
        Future<Ran> running = others.submit(() -> shop.run("act", "--idempotency-key", "k1"));
        assertThat(acting.await(60, TimeUnit.SECONDS)).isTrue();
        return running;
    }
}
