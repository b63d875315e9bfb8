package dev.idem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import kotlin.coroutines.intrinsics.CoroutineSingletons;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * An action that returns a future has not ended. If the future counted as the result, a card that is declined later would
 * count as charged.
 */
@SuppressWarnings("FutureReturnValueIgnored") // futures are the mistake that is tested
class UnfinishedResultsTest {
    private final Idem idem = Idem.builder().ledger("memory:").quiet().open();
    private final AtomicInteger runs = new AtomicInteger();

    @AfterEach
    void close() {
        idem.close();
    }

    private Operation<@Nullable Object> charge() {
        return idem.operation("charge").key("order-7");
    }

    private State state() {
        return charge().find().orElseThrow().state();
    }

    static Stream<Object> unfinished() {
        CompletableFuture<String> future = new CompletableFuture<>();
        Callable<String> callable = () -> "ch_1";
        Supplier<String> supplier = () -> "ch_1";
        Flow.Publisher<String> publisher = subscriber -> {};
        Uni<String> uni = () -> "ch_1";
        return Stream.of(
                future,
                CompletableFuture.completedFuture("ch_1"),
                future.minimalCompletionStage(),
                new FutureTask<>(callable),
                callable,
                supplier,
                publisher,
                uni,
                Stream.of("ch_1"),
                IntStream.of(1),
                List.of("ch_1").iterator(),
                ProcessHandle.current(),
                Optional.of(future),
                List.of("ch_1", future),
                Map.of("order-7", future),
                new Object[] {future},
                Map.of("orders", List.of("ch_1", future)),
                List.of(Map.of("mails", new Object[] {Optional.of(future)})),
                new Mailed("m_1", future),
                List.of(new Mailed("m_1", publisher)),
                new Object[][] {{"ch_1"}, {future}},
                nested(future, 500),
                containingItself(future),
                CoroutineSingletons.COROUTINE_SUSPENDED);
    }

    record Mailed(String id, @Nullable Object delivery) {}

    private static Object nested(Object innermost, int depth) {
        return depth == 0 ? innermost : List.of(nested(innermost, depth - 1));
    }

    private static Object containingItself(Object other) {
        List<Object> list = new ArrayList<>();
        list.add(list);
        list.add(other);
        return list;
    }

    @ParameterizedTest
    @MethodSource("unfinished")
    void isNoResult(Object value) {
        Outcome<@Nullable Object> first = charge().attempt(call -> {
            runs.incrementAndGet();
            return value;
        });

        assertThat(first).isInstanceOf(Outcome.InDoubt.class);
        assertThat(first.failure())
                .hasMessageStartingWith("the action of 'charge' returned a")
                .hasMessageContaining("Get its value inside the action and return that");
        assertThat(state()).isEqualTo(State.IN_DOUBT);
        assertThatThrownBy(() -> charge().run(call -> "ran " + runs.incrementAndGet()))
                .isInstanceOf(InDoubtException.class);
        assertThat(runs).hasValue(1);
    }

    @Test
    void theMessageNamesTheTypeAndTheMethodForActionsThatEndLater() {
        assertThatThrownBy(() -> charge().run(call -> new CompletableFuture<String>()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("the action of 'charge' returned a CompletableFuture, which is no result yet: its work may"
                        + " not have ended, and nothing would tell how it ends. Get its value inside the action and"
                        + " return that, or call attemptStage, which settles the call when a stage completes");
        assertThatThrownBy(() ->
                        idem.operation("mail").key("order-7").run(call -> List.of(new CompletableFuture<String>())))
                .hasMessageContaining("returned a collection with a CompletableFuture in it");
        Map<String, Object> deep = Map.of("orders", List.of(new CompletableFuture<String>()));
        assertThatThrownBy(() -> idem.operation("post").key("order-7").run(call -> deep))
                .hasMessageContaining("returned a map with a CompletableFuture in it");
    }

    /** Neither the classifiers of the policy nor a missing mark may say that nothing happened: the work goes on. */
    @Test
    void nothingTakesItForAFailureThatMayRunAgain() {
        Policy forgiving = Policy.write().definiteOn(RuntimeException.class).staged();

        Outcome<@Nullable Object> outcome = charge().policy(forgiving).attempt(call -> new CompletableFuture<String>());

        assertThat(outcome).isInstanceOf(Outcome.InDoubt.class);
        assertThat(state()).isEqualTo(State.IN_DOUBT);
    }

    @Test
    void aReadThrows() {
        Operation<@Nullable Object> read = charge().policy(Policy.read());

        assertThatThrownBy(() -> read.run(call -> new CompletableFuture<String>()))
                .hasMessageContaining("CompletableFuture")
                .hasMessageContaining("attemptStage");
        assertThat(read.attemptStage(call -> CompletableFuture.completedFuture(new CompletableFuture<String>()))
                        .join())
                .isInstanceOf(Outcome.Failed.class);
    }

    @Test
    void everyDoorRefusesIt() {
        assertThatThrownBy(() -> idem.executeOnce("o-1", call -> new CompletableFuture<String>()))
                .hasMessageContaining("attemptStage");
        assertThatThrownBy(charge().runAsync(call -> new CompletableFuture<String>())::join)
                .hasMessageContaining("attemptStage");
        assertThat(idem.operation("charge")
                        .key("order-8")
                        .prepare(() -> 1)
                        .attempt((call, one) -> new CompletableFuture<String>()))
                .isInstanceOf(Outcome.InDoubt.class);
    }

    /** A stage that gives another stage was to be composed. */
    @Test
    void aStageOfAFutureIsNoResultEither() {
        Outcome<@Nullable Object> outcome = charge().attemptStage(
                        call -> CompletableFuture.completedFuture(new CompletableFuture<String>()))
                .join();

        assertThat(outcome).isInstanceOf(Outcome.InDoubt.class);
    }

    @Test
    void aProbeThatFindsAFutureHasFoundNothing() {
        Policy probed = Policy.write().probeGrace(Duration.ZERO);
        assertThat(charge().policy(probed).attempt(call -> {
                    call.remoteEnded();
                    throw new IllegalStateException("the answer was lost");
                }))
                .isInstanceOf(Outcome.InDoubt.class);

        Outcome<@Nullable Object> asked = charge().policy(probed)
                .probe(doubted -> Probe.Verdict.happened(new CompletableFuture<String>()))
                .attempt(call -> "ran " + runs.incrementAndGet());

        assertThat(asked).isInstanceOf(Outcome.InDoubt.class);
        assertThat(asked.failure()).hasMessageContaining("The probe was asked");
        assertThat(state()).isEqualTo(State.IN_DOUBT);
    }

    @Test
    void aPersonCanNotRecordIt() {
        assertThat(charge().attempt(call -> {
                    throw new IllegalStateException("the answer was lost");
                }))
                .isInstanceOf(Outcome.InDoubt.class);
        Resolution resolution = idem.resolve(charge().find().orElseThrow());

        assertThatThrownBy(() -> resolution.asComplete(new CompletableFuture<String>()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("CompletableFuture")
                .hasMessageContaining("Nothing was changed");
        assertThat(state()).isEqualTo(State.IN_DOUBT);
    }

    @Test
    void aRequestIsNotCompleteWithIt() {
        try (RequestStore store = RequestStore.open("memory:")) {
            store.markInProgress("req-001");

            assertThatThrownBy(() -> store.markComplete("req-001", new CompletableFuture<String>()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("CompletableFuture")
                    .hasMessageContaining("Nothing was changed");

            assertThat(store.state("req-001")).contains(State.IN_PROGRESS);
            store.markComplete("req-001", "done");
        }
    }

    @Test
    void aDeclaredTypeIsRefusedBeforeAnythingRuns() {
        assertThatThrownBy(() -> idem.operation("charge").returning(CompletableFuture.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("CompletableFuture")
                .hasMessageContaining("attemptStage");
        assertThatThrownBy(() -> idem.operation("charge").returning(new TypeRef<List<Supplier<String>>>() {}))
                .hasMessageContaining("Supplier");
        assertThatThrownBy(() -> idem.operation("charge").returning(new TypeRef<List<? extends Supplier<String>>>() {}))
                .hasMessageContaining("a Supplier can't be a result");
    }

    record Price(long cents) implements Supplier<Long> {
        @Override
        public Long get() {
            return cents;
        }
    }

    enum Unit implements Callable<String> {
        EURO {
            @Override
            public String call() {
                return "€";
            }
        }
    }

    record Lazy(String id, Supplier<String> text, Callable<String> again) {}

    record Strict(String id, @Nullable Object delivery) {
        @Override
        public Object delivery() {
            throw new IllegalStateException("code of the record ran");
        }
    }

    static final class Lines implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return List.of("one").iterator();
        }
    }

    /** A record and an enum are values, whatever they implement, and a record may hold functions. */
    static Stream<Object> finished() {
        return Stream.of(
                new Price(7),
                Unit.EURO,
                new Lazy("a", () -> "text", () -> "text"),
                new Strict("a", null),
                new Mailed("m_1", List.of("sent")),
                new Lines(),
                List.of(List.of("a")),
                Optional.empty(),
                Map.of("a", 1),
                new int[] {1});
    }

    @ParameterizedTest
    @MethodSource("finished")
    void allElseIsAResult(Object value) {
        assertThat(charge().attempt(call -> value)).isInstanceOf(Outcome.Done.class);
        assertThat(state()).isEqualTo(State.COMPLETE);
    }
}
