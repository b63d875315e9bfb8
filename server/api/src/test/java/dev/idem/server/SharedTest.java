package dev.idem.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class SharedTest {
    private final AtomicLong nanos = new AtomicLong();
    private final AtomicInteger works = new AtomicInteger();
    private final Shared<String, Integer> shared = new Shared<>(Duration.ofSeconds(5), nanos::get);

    @Test
    void anAnswerIsKeptForItsTime() throws InterruptedException {
        assertThat(shared.get("a", works::incrementAndGet)).isEqualTo(1);
        nanos.addAndGet(Duration.ofSeconds(5).toNanos());
        assertThat(shared.get("a", works::incrementAndGet)).isEqualTo(1);
        assertThat(shared.get("b", works::incrementAndGet)).isEqualTo(2);
        nanos.incrementAndGet();
        assertThat(shared.get("a", works::incrementAndGet)).isEqualTo(3);
    }

    @Test
    void anErrorIsNotKept() throws InterruptedException {
        assertThatThrownBy(() -> shared.get("a", () -> {
                    throw new IllegalArgumentException("no answer");
                }))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(shared.get("a", works::incrementAndGet)).isEqualTo(1);
    }

    @Test
    void allWhoAskAtTheSameTimeShareTheWork() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch gate = new CountDownLatch(1);
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            Future<Integer> first = threads.submit(() -> shared.get("a", () -> {
                begun.countDown();
                gate.await();
                return works.incrementAndGet();
            }));
            begun.await();
            // However long it takes: the time counts from its end.
            nanos.addAndGet(Duration.ofMinutes(1).toNanos());
            Future<Integer> second = threads.submit(() -> shared.get("a", works::incrementAndGet));
            gate.countDown();
            assertThat(first.get()).isEqualTo(1);
            assertThat(second.get()).isEqualTo(1);
        } finally {
            threads.shutdownNow();
        }
    }
}
