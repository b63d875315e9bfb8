package dev.idem.agent.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.ConflictException;
import dev.idem.Idem;
import dev.idem.InDoubtException;
import dev.idem.LedgerUnavailableException;
import dev.idem.NotExecutedException;
import dev.idem.Policy;
import dev.idem.Probe;
import dev.idem.Reworded;
import dev.idem.agent.run.Run;
import dev.idem.agent.run.Runs;
import dev.idem.spi.Ledgers;
import dev.idem.spi.browse.Browsable;
import dev.idem.spi.browse.Query;
import dev.idem.testkit.FaultyLedger;
import dev.idem.testkit.Until;
import dev.idem.testkit.World;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Each item once, over all runs of a job. */
class BatchTest {
    private static final List<String> ITEMS = List.of("a", "b", "c", "d");

    private final World world = new World();
    private final Idem idem = Idem.builder().ledger("memory:").quiet().open();

    @AfterEach
    void close() {
        idem.close();
    }

    @Test
    void everyItemTakesEffectOnceAndTheNextRunSkipsThemAll() {
        BatchReport first = batch().run(ITEMS, item -> item, (item, call) -> world.act(item));
        BatchReport second = batch().run(ITEMS, item -> item, (item, call) -> world.act(item));

        assertThat(first.counts()).isEqualTo(new BatchReport.Counts(4, 0, 0, 0, 0));
        assertThat(second.counts()).isEqualTo(new BatchReport.Counts(0, 4, 0, 0, 0));
        assertThat(first.complete()).isTrue();
        assertThat(second.complete()).isTrue();
        assertThat(world.effects()).isEqualTo(4);
        assertThat(world.repeated()).isEmpty();
    }

    @Test
    void anotherJobIsAnotherMatter() {
        Batch.of(idem, "job-7").run(ITEMS, item -> item, (item, call) -> world.act(item));
        Batch.of(idem, "job-8").run(ITEMS, item -> item, (item, call) -> world.act(item));

        assertThat(world.effects("a")).isEqualTo(2);
    }

    @Test
    void whatFailedIsTriedAgainByTheNextRun() {
        BatchReport first = batch().run(ITEMS, item -> item, (item, call) -> {
            if (item.equals("b")) {
                throw new NotExecutedException("no stamp");
            }
            return world.act(item);
        });
        BatchReport second = batch().run(ITEMS, item -> item, (item, call) -> world.act(item));

        assertThat(first.counts()).isEqualTo(new BatchReport.Counts(3, 0, 1, 0, 0));
        assertThat(first.complete()).isFalse();
        assertThat(first.troubles()).singleElement().satisfies(trouble -> {
            assertThat(trouble.id()).isEqualTo("b");
            assertThat(trouble.state()).isEqualTo(ItemState.FAILED);
            assertThat(trouble.reason()).isEqualTo("no stamp");
        });
        assertThat(first.text())
                .contains("3 done, 0 skipped, 1 failed, 0 in doubt")
                .contains("b failed: no stamp");
        assertThat(second.counts()).isEqualTo(new BatchReport.Counts(1, 3, 0, 0, 0));
        assertThat(world.effects()).isEqualTo(4);
    }

    @Test
    void whatMayHaveHappenedIsReportedAndNeverRunAgain() {
        batch().run(ITEMS, item -> item, (item, call) -> {
            String receipt = world.act(item);
            if (item.equals("b")) {
                throw new IOException("response lost");
            }
            return receipt;
        });
        BatchReport second = batch().run(ITEMS, item -> item, (item, call) -> world.act(item));

        assertThat(second.counts()).isEqualTo(new BatchReport.Counts(0, 3, 0, 1, 0));
        assertThat(second.troubles())
                .singleElement()
                .satisfies(trouble -> assertThat(trouble.why().orElseThrow()).isInstanceOf(InDoubtException.class));
        assertThat(second.text()).contains("b in doubt: ").contains("resolve");
        assertThat(world.effects("b")).isEqualTo(1);
    }

    @Test
    void whatIsDeclaredSafeIsTriedAgainAndCountsAsFailedUntilThen() {
        Batch<?> safe = batch().policy(Policy.idempotent());
        AtomicInteger tries = new AtomicInteger();

        BatchReport first = safe.perform(List.of("a"), item -> item, (item, call) -> {
            tries.incrementAndGet();
            throw new IOException("time-out");
        });
        BatchReport second = safe.perform(List.of("a"), item -> item, (item, call) -> tries.incrementAndGet());

        assertThat(first.counts().failed()).isEqualTo(1);
        assertThat(second.counts().done()).isEqualTo(1);
        assertThat(tries).hasValue(2);
    }

    @Test
    void aProbeSettlesWhatWasInDoubt() {
        List<String> items = List.of("happened", "not");
        batch().each(op -> op.policy(Policy.unset().timeLimit(Duration.ofSeconds(1))))
                .run(items, item -> item, (item, call) -> {
                    if (item.equals("happened")) {
                        world.act(item);
                    }
                    throw new IOException("response lost");
                });

        Map<String, Object> values = new ConcurrentHashMap<>();
        BatchReport second = Batch.of(idem, "job-7")
                .returning(String.class)
                .each(op -> op.policy(Policy.unset().timeLimit(Duration.ofSeconds(1)))
                        .probe(doubted -> world.lookUp(doubted.address().key())
                                .map(Probe.Verdict::happened)
                                .orElseGet(Probe.Verdict::notExecuted)))
                .onOutcome(ended -> values.put(ended.id(), ended.outcome().value()))
                .run(items, item -> item, (item, call) -> world.act(item));

        assertThat(second.counts()).isEqualTo(new BatchReport.Counts(1, 1, 0, 0, 0));
        assertThat(values).isEqualTo(Map.of("happened", "happened #1", "not", "not #1"));
        assertThat(world.repeated()).isEmpty();
    }

    @Test
    void itemsWithOneIdAreOneItem() {
        BatchReport report = batch().run(List.of("a", "a", "a"), item -> item, (item, call) -> world.act(item));

        assertThat(report.counts()).isEqualTo(new BatchReport.Counts(1, 2, 0, 0, 0));
        assertThat(world.effects("a")).isEqualTo(1);
    }

    @Test
    void anItemThatIsNullIsToldInsteadOfEndingTheRunAsIfItWereComplete() {
        List<String> withAHole = Arrays.asList("a", "b", null, "d");
        for (int threads : List.of(1, 8)) {
            assertThatThrownBy(() ->
                            batch().concurrency(threads).run(withAHole, item -> item, (item, call) -> world.act(item)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("job-7")
                    .hasMessageContaining("item 3 is null");
        }
        assertThat(world.repeated()).isEmpty();
    }

    @Test
    void anotherItemWithAnIdThatWasUsedIsAConflictAndNotSkipped() {
        record Payment(String id, int cents) {}
        List<Payment> payments = List.of(new Payment("p1", 100), new Payment("p1", 250), new Payment("p2", 100));

        BatchReport report = batch().concurrency(1)
                .run(payments, Payment::id, (payment, call) -> world.act(payment.id() + "/" + payment.cents()));
        BatchReport again =
                batch().run(List.of(new Payment("p2", 900)), Payment::id, (payment, call) -> world.act("twice"));

        assertThat(report.counts()).isEqualTo(new BatchReport.Counts(2, 0, 1, 0, 0));
        assertThat(report.complete()).isFalse();
        assertThat(report.troubles()).singleElement().satisfies(trouble -> {
            assertThat(trouble.id()).isEqualTo("p1");
            assertThat(trouble.why()).get().isInstanceOf(ConflictException.class);
        });
        assertThat(again.counts().failed()).isEqualTo(1);
        assertThat(world.effects()).isEqualTo(2);
    }

    @Test
    void whereItemsMayChangeBetweenRunsThatCanBeSaid() {
        record Row(String id, String note) {}
        Batch<?> lenient = batch().each(op -> op.policy(Policy.unset().onReworded(Reworded.WARN)));
        lenient.perform(List.of(new Row("r1", "new")), Row::id, (row, call) -> world.act(row.id()));

        BatchReport again =
                lenient.perform(List.of(new Row("r1", "seen")), Row::id, (row, call) -> world.act(row.id()));

        assertThat(again.counts().skipped()).isEqualTo(1);
    }

    @Test
    void itemsWithoutAJsonFormAreKnownByTheirIdsAlone() {
        List<Object> items = List.of(new Object(), new Object());

        BatchReport report = batch().concurrency(1).perform(items, item -> "same", (item, call) -> world.act("same"));

        assertThat(report.counts()).isEqualTo(new BatchReport.Counts(1, 1, 0, 0, 0));
    }

    @Test
    void anItemWhoseIdIsNoKeyIsFoundAgainByItsLabel() {
        batch().run(List.of("Grüße an Ann", "plain"), id -> id, (id, call) -> world.act(id));

        assertThat(labels("id")).containsExactly("Grüße an Ann");
    }

    @Test
    void itemsCarryTheRunThatTheBatchIsIn() {
        Run run = Runs.standard().start();
        run.run(() -> batch().concurrency(2).run(ITEMS, id -> id, (id, call) -> world.act(id)));

        assertThat(labels("run")).hasSize(4).containsOnly(run.id().value());
    }

    private List<String> labels(String name) {
        return idem.ledger().as(Browsable.class).orElseThrow().browse(Query.all()).entries().stream()
                .map(entry -> entry.labels().get(name))
                .filter(Objects::nonNull)
                .toList();
    }

    @Test
    void idsThatAreNoKeysBecomeOnesAndAreNeverCut() {
        String longId = "x".repeat(300);
        List<String> ids = List.of("Grüße an Ann", longId + "1", longId + "2", "");

        batch().run(ids, id -> id, (id, call) -> world.act(id));
        BatchReport again = batch().run(ids, id -> id, (id, call) -> world.act(id));

        assertThat(again.counts().skipped()).isEqualTo(4);
        assertThat(ids).allSatisfy(id -> assertThat(world.effects(id)).isEqualTo(1));
    }

    @Test
    void noMoreItemsThanAllowedAreWorkedOnAtOnceAndNotFewer() {
        AtomicInteger running = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        CyclicBarrier allThree = new CyclicBarrier(3);
        List<Integer> items = IntStream.range(0, 30).boxed().toList();

        batch().concurrency(3).perform(items, String::valueOf, (item, call) -> {
            most.accumulateAndGet(running.incrementAndGet(), Math::max);
            allThree.await();
            running.decrementAndGet();
        });

        assertThat(most).hasValue(3);
    }

    @Test
    void manyTroublesStopTheRun() {
        AtomicInteger begun = new AtomicInteger();
        BatchReport report = batch().concurrency(1)
                .stopAfter(3)
                .perform(IntStream.range(0, 100).boxed().toList(), String::valueOf, (item, call) -> {
                    begun.incrementAndGet();
                    throw new NotExecutedException("401");
                });

        assertThat(begun).hasValue(3);
        assertThat(report.complete()).isFalse();
        assertThat(report.stopped()).isEqualTo("3 items have failed or are in doubt");
        assertThat(report.text()).contains("stopped: 3 items");
    }

    @Test
    void anInterruptStopsTheRunAfterTheItemsUnderWay() {
        Thread caller = Thread.currentThread();
        BatchReport report = batch().concurrency(1)
                .progress(ProgressView.NONE)
                .perform(ITEMS, item -> item, (item, call) -> {
                    world.act(item);
                    caller.interrupt();
                    Until.isTrue("the run has seen it", () -> !caller.isInterrupted());
                });

        assertThat(Thread.interrupted()).isTrue();
        assertThat(report.counts().done()).isEqualTo(1);
        assertThat(report.stopped()).contains("interrupted");
        assertThat(batch().run(ITEMS, item -> item, (item, call) -> world.act(item))
                        .complete())
                .isTrue();
        assertThat(world.repeated()).isEmpty();
    }

    @Test
    void aLedgerThatCannotBeReachedEndsTheRun() {
        FaultyLedger faulty = new FaultyLedger(Ledgers.open("memory:"));
        try (Idem other = Idem.builder()
                .ledger(faulty)
                .quiet()
                .policy(Policy.unset().lease(Duration.ofMillis(50)))
                .open()) {
            faulty.down();
            assertThatThrownBy(() -> Batch.of(other, "job-7").run(ITEMS, item -> item, (item, call) -> world.act(item)))
                    .isInstanceOf(LedgerUnavailableException.class);
        }
        assertThat(world.effects()).isZero();
    }

    @Test
    void anErrorIsNoItemsOwnAndEndsTheRun() {
        assertThatThrownBy(() -> batch().concurrency(1).perform(ITEMS, item -> item, (item, call) -> {
                    world.act(item);
                    throw new OutOfMemoryError("by order");
                }))
                .isInstanceOf(OutOfMemoryError.class);
        assertThat(world.effects()).isEqualTo(1);
    }

    @Test
    void valuesAreToldWhetherTheyAreNewOrReplayed() {
        Map<String, Integer> lengths = new ConcurrentHashMap<>();
        for (int run = 0; run < 2; run++) {
            lengths.clear();
            Batch.of(idem, "job-9")
                    .returning(Integer.class)
                    .onOutcome(ended -> lengths.put(ended.id(), ended.outcome().value()))
                    .run(Stream.of("one", "three").toList(), item -> item, (item, call) -> item.length());
            assertThat(lengths).isEqualTo(Map.of("one", 3, "three", 5));
        }
    }

    @Test
    void aReadCouldNotBeSkippedAndIsRefused() {
        assertThatThrownBy(() -> batch().policy(Policy.read()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("IDEMPOTENT");
    }

    @Test
    void aViewThatThrowsHarmsNothing() {
        CountDownLatch shown = new CountDownLatch(1);
        ProgressView broken = new ProgressView() {
            @Override
            public Duration every() {
                return Duration.ofMillis(1);
            }

            @Override
            public void show(Progress progress) {
                shown.countDown();
                throw new IllegalStateException("no ink");
            }

            @Override
            public void end(Progress progress) {
                throw new IllegalStateException("no ink");
            }
        };

        BatchReport report =
                batch().progress(broken).perform(List.of("a"), item -> item, (item, call) -> shown.await());

        assertThat(report.complete()).isTrue();
    }

    private Batch<Object> batch() {
        return Batch.of(idem, "job-7");
    }
}
