package dev.idem.agent.coalesce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.JsonException;
import dev.idem.ThreadLabels;
import dev.idem.testkit.Race;
import dev.idem.testkit.Until;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class CoalescerTest {
    private final Coalescer<String> llm = Coalescer.create();
    private final AtomicInteger upstream = new AtomicInteger();
    private final CountDownLatch gate = new CountDownLatch(1);
    private final AtomicBoolean interrupted = new AtomicBoolean();

    @Test
    void aThousandConcurrentIdenticalCallsGoUpstreamOnceAndGetEqualResults() {
        Callable<String> slow = () -> {
            Until.isTrue("all others have joined", () -> llm.stats().shared() == 999);
            return "answer " + upstream.incrementAndGet();
        };
        List<String> answers = Race.of(1_000, () -> llm.call("key", slow));

        assertThat(answers).hasSize(1_000).containsOnly("answer 1");
        assertThat(upstream).hasValue(1);
        assertThat(llm.stats()).isEqualTo(new CoalesceStats(1_000, 1, 999, 0, 0, 0));
    }

    @Test
    void followersGetTheSameException() {
        Callable<String> failing = () -> {
            Until.isTrue("the others have joined", () -> llm.stats().shared() == 9);
            throw new IOException("overloaded " + upstream.incrementAndGet());
        };
        List<Object> thrown = Race.of(10, () -> {
            try {
                return llm.call("key", failing);
            } catch (IOException e) {
                return e;
            }
        });

        assertThat(thrown).allSatisfy(one -> assertThat(one).isSameAs(thrown.get(0)));
        assertThat(thrown.get(0)).isInstanceOf(IOException.class);
        assertThat(llm.stats().failures()).isEqualTo(1);
    }

    @Test
    void nothingIsKeptOnceItHasEnded() throws Exception {
        assertThat(llm.call("key", () -> "one")).isEqualTo("one");
        assertThat(llm.call("key", () -> "two")).isEqualTo("two");
        assertThatThrownBy(() -> llm.call("key", () -> {
                    throw new AssertionError("broken");
                }))
                .isInstanceOf(AssertionError.class);
        assertThat(llm.call("key", () -> null)).isNull();
    }

    @Test
    void anExecutorThatThrowsPoisonsNoKey() throws Exception {
        AtomicInteger started = new AtomicInteger();
        Coalescer<String> shaky = Coalescer.on(task -> {
            int number = started.incrementAndGet();
            if (number == 1) {
                throw new IllegalStateException("the pool is closed");
            } else if (number == 2) {
                throw new OutOfMemoryError("unable to create native thread");
            }
            new Thread(task).start();
        });

        assertThatThrownBy(() -> shaky.start("key", () -> "never").get(60, TimeUnit.SECONDS))
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> shaky.start("key", () -> "never").get(60, TimeUnit.SECONDS))
                .isInstanceOf(OutOfMemoryError.class);
        assertThat(shaky.start("key", () -> "answer").get(60, TimeUnit.SECONDS)).isEqualTo("answer");
    }

    @Test
    void whatACallDoesUpstreamCarriesTheLabelsOfTheThreadThatBeganIt() throws Exception {
        Map<String, String> labels = Map.of("run", "nightly-7");
        ThreadLabels inside = ThreadLabels.enter(labels);
        CompletableFuture<Map<String, String>> upstream = Coalescer.<Map<String, String>>on(
                        task -> new Thread(task).start())
                .start("key", ThreadLabels::current);
        inside.close();

        assertThat(upstream.get(60, TimeUnit.SECONDS)).isEqualTo(labels);
    }

    @Test
    void otherKeysGoTheirOwnWay() {
        CompletableFuture<String> one = llm.start("one", this::waiting);
        CompletableFuture<String> two = llm.start("two", this::waiting);
        gate.countDown();

        assertThat(one.join()).isEqualTo("answer");
        assertThat(two.join()).isEqualTo("answer");
        assertThat(llm.stats().upstream()).isEqualTo(2);
    }

    @Test
    void whoeverCancelsHarmsNobodyElse() {
        CompletableFuture<String> first = llm.start("key", this::waiting);
        CompletableFuture<String> second = llm.start("key", this::waiting);
        assertThat(first.cancel(true)).isTrue();
        gate.countDown();

        assertThat(second.join()).isEqualTo("answer");
        assertThat(first).isCancelled();
        assertThat(interrupted).isFalse();
        assertThat(llm.stats()).isEqualTo(new CoalesceStats(2, 1, 1, 0, 1, 0));
    }

    @Test
    void whenTheLastOneLeavesTheCallIsInterrupted() {
        CompletableFuture<String> first = llm.start("key", this::waiting);
        CompletableFuture<String> second = llm.start("key", this::waiting);
        Until.isTrue("it is under way", () -> upstream.get() == 1);
        first.cancel(true);
        second.completeExceptionally(new CancellationException("timed out"));

        Until.isTrue("it was interrupted", interrupted::get);
        assertThat(llm.stats().cancelled()).isEqualTo(1);
        gate.countDown();
        assertThat(llm.start("key", this::waiting).join()).isEqualTo("answer");
    }

    @Test
    void aCallerWhoIsInterruptedLeaves() throws Exception {
        CompletableFuture<Throwable> left = new CompletableFuture<>();
        Thread caller = new Thread(() -> {
            try {
                llm.call("key", this::waiting);
            } catch (Throwable thrown) {
                left.complete(thrown);
            }
        });
        caller.start();
        Until.isTrue("it is under way", () -> upstream.get() == 1);
        CompletableFuture<String> other = llm.start("key", this::waiting);
        caller.interrupt();

        assertThat(left.get()).isInstanceOf(InterruptedException.class);
        gate.countDown();
        assertThat(other.join()).isEqualTo("answer");
        assertThat(interrupted).isFalse();
        caller.join();
    }

    @Test
    void aCallInsideItselfIsRefused() {
        assertThatThrownBy(() -> llm.call("key", () -> llm.call("key", () -> "inner")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("waits for itself");
    }

    @Test
    void anExecutorThatRefusesIsReportedAndBlocksNobody() throws Exception {
        AtomicBoolean full = new AtomicBoolean(true);
        Coalescer<String> pooled = Coalescer.on(task -> {
            if (full.get()) {
                throw new RejectedExecutionException("full");
            }
            new Thread(task).start();
        });

        assertThatThrownBy(() -> pooled.call("key", () -> "x")).isInstanceOf(RejectedExecutionException.class);
        full.set(false);
        assertThat(pooled.call("key", () -> "x")).isEqualTo("x");
    }

    @Test
    void theKeyOfAModelsCallIsCanonical() {
        Map<String, Object> one = new LinkedHashMap<>();
        one.put("temperature", 0);
        one.put("max_tokens", 100);
        Map<String, Object> two = new LinkedHashMap<>();
        two.put("max_tokens", 100L);
        two.put("temperature", 0.0);
        List<Map<String, String>> messages = List.of(Map.of("role", "user", "content", "hi"));

        assertThat(LlmKey.of("m", messages, one)).isEqualTo(LlmKey.of("m", messages, two));
        assertThat(LlmKey.of("m", messages, one))
                .isNotEqualTo(LlmKey.of("n", messages, one))
                .isNotEqualTo(LlmKey.of("m", List.of(), one))
                .isNotEqualTo(LlmKey.of("m", messages, Map.of()));
        assertThat(LlmKey.ofRequest("{\"a\":1, \"b\":[2]}")).isEqualTo(LlmKey.ofRequest("{\"b\":[2.0],\"a\":1}"));
        assertThatThrownBy(() -> LlmKey.ofRequest("{\"a\":1,}")).isInstanceOf(JsonException.class);
    }

    private String waiting() throws InterruptedException {
        upstream.incrementAndGet();
        try {
            gate.await();
        } catch (InterruptedException e) {
            interrupted.set(true);
            throw e;
        }
        return "answer";
    }
}
