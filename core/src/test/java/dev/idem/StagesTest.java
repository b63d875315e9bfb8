package dev.idem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.spi.Claim;
import dev.idem.spi.ClaimRequest;
import dev.idem.spi.ForwardingLedger;
import dev.idem.spi.Ledger;
import dev.idem.spi.Ledgers;
import dev.idem.spi.Settled;
import dev.idem.spi.Settlement;
import dev.idem.spi.Ticket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Actions that end later than they return. */
class StagesTest {
    private final Idem idem = Idem.builder().ledger("memory:").quiet().open();
    private final AtomicInteger runs = new AtomicInteger();
    private final CompletableFuture<String> stage = new CompletableFuture<>();

    @AfterEach
    void close() {
        idem.close();
    }

    private Operation<String> charge() {
        return idem.operation("charge").key("order-7").returning(String.class);
    }

    private CompletableFuture<Outcome<String>> start() {
        return charge().attemptStage(call -> {
            runs.incrementAndGet();
            return stage;
        });
    }

    private State state() {
        return charge().find().orElseThrow().state();
    }

    @Test
    void isSettledWhenItsStageCompletes() {
        CompletableFuture<Outcome<String>> first = start();

        assertThat(first).isNotDone();
        assertThat(state()).isEqualTo(State.IN_PROGRESS);

        stage.complete("ch_1");

        assertThat(first.join())
                .isInstanceOfSatisfying(
                        Outcome.Done.class, done -> assertThat(done.value()).isEqualTo("ch_1"));
        assertThat(state()).isEqualTo(State.COMPLETE);
        assertThat(start().join())
                .isInstanceOfSatisfying(
                        Outcome.Replayed.class,
                        replayed -> assertThat(replayed.value()).isEqualTo("ch_1"));
        assertThat(runs).hasValue(1);
    }

    @Test
    void duplicatesWaitForTheStage() throws Exception {
        CompletableFuture<Outcome<String>> first = start();
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try {
            List<Future<String>> duplicates = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                duplicates.add(threads.submit(() -> charge().run(call -> "ran " + runs.incrementAndGet())));
            }

            stage.complete("ch_1");

            for (Future<String> duplicate : duplicates) {
                assertThat(duplicate.get(60, TimeUnit.SECONDS)).isEqualTo("ch_1");
            }
            assertThat(first).isCompleted();
            assertThat(runs).hasValue(1);
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void aDuplicateInTheThreadThatStartedItDoesNotWaitForItself() {
        CompletableFuture<Outcome<String>> first = start();

        Outcome<String> duplicate = charge().policy(Policy.unset().waitFor(Duration.ofMillis(50)))
                .attempt(call -> "ran " + runs.incrementAndGet());

        assertThat(duplicate.failure()).isInstanceOf(InFlightException.class);
        stage.complete("ch_1");
        assertThat(first).isCompleted();
    }

    @Test
    void aFailedStageIsJudgedAsAnExceptionOfTheAction() {
        CompletableFuture<Outcome<String>> first = start();
        stage.completeExceptionally(new CompletionException(new NotExecutedException("no route")));

        assertThat(first.join()).isInstanceOf(Outcome.Failed.class);
        assertThat(state()).isEqualTo(State.FAILED);
        assertThat(charge().run(call -> "ch_2")).isEqualTo("ch_2");
    }

    @Test
    void aStageThatFailsAfterSendingLeavesADoubt() {
        CompletableFuture<Outcome<String>> first = start();
        stage.completeExceptionally(new IllegalStateException("the answer was lost"));

        assertThat(first.join()).isInstanceOf(Outcome.InDoubt.class);
        assertThat(first.join().failure()).hasMessage("the answer was lost");
        assertThat(state()).isEqualTo(State.IN_DOUBT);
    }

    @Test
    void aCancelledStageLeavesADoubt() {
        CompletableFuture<Outcome<String>> first = start();
        stage.cancel(true);

        assertThat(first.join()).isInstanceOf(Outcome.InDoubt.class);
    }

    @Test
    void anActionThatThrowsBeforeItsStageIsSettledAtOnce() {
        Outcome<String> outcome = charge().attemptStage(call -> {
                    throw new NotExecutedException("no route");
                })
                .join();

        assertThat(outcome).isInstanceOf(Outcome.Failed.class);
        assertThat(state()).isEqualTo(State.FAILED);
    }

    @Test
    void aReadStageIsNotRecorded() {
        Operation<String> read = charge().policy(Policy.read());
        CompletableFuture<Outcome<String>> first = read.attemptStage(call -> stage);
        stage.complete("seen");

        assertThat(first.join()).isInstanceOf(Outcome.Done.class);
        assertThat(charge().find()).isEmpty();
        assertThat(read.attemptStage(call -> CompletableFuture.<String>failedFuture(new IllegalStateException("down")))
                        .join()
                        .failure())
                .hasMessage("down");
    }

    @Test
    void theObserverIsToldWhenTheStageCompletes() {
        List<Provenance> seen = new CopyOnWriteArrayList<>();
        CompletableFuture<Outcome<String>> first = charge().observe(seen::add).attemptStage(call -> stage);
        assertThat(seen).isEmpty();

        stage.complete("ch_1");

        assertThat(first).isCompleted();
        assertThat(seen)
                .singleElement()
                .satisfies(origin -> assertThat(origin.replayed()).isFalse());
    }

    @Test
    void aStageHasNoThreadToInterrupt() {
        CompletableFuture<Outcome<String>> refused = charge().policy(
                        Policy.unset().interruptible())
                .attemptStage(call -> {
                    runs.incrementAndGet();
                    return stage;
                });

        assertThatThrownBy(refused::get)
                .isInstanceOf(ExecutionException.class)
                .hasRootCauseMessage("the policy of operation 'charge' is interruptible, but attemptStage has no thread"
                        + " to interrupt: leave interruptible() out. Nothing ran");
        assertThat(runs).hasValue(0);
    }

    /** The inner value was lost on its way into the ledger: that proves nothing about the operation around it. */
    @Test
    void aResultThatWasNotRecordedLeavesTheOperationAroundItInDoubt() {
        Ledger forgetful = new ForwardingLedger(Ledgers.open("memory:")) {
            @Override
            public Settled settle(Ticket ticket, Settlement how) {
                if (ticket.address().operation().equals("inner")) {
                    throw new IllegalStateException("the disk is full");
                }
                return super.settle(ticket, how);
            }
        };
        try (Idem two = Idem.builder().ledger(forgetful).quiet().open()) {
            Policy definite = Policy.unset().classify(thrown -> Classifier.Judgement.DEFINITE);

            Outcome<Object> outer = two.operation("outer")
                    .key("k")
                    .policy(definite)
                    .attempt(call -> {
                        try {
                            return two.operation("inner")
                                    .key("k")
                                    .attemptStage(inner -> CompletableFuture.completedFuture("done"))
                                    .join();
                        } catch (CompletionException e) {
                            throw (UnrecordedException) e.getCause();
                        }
                    });

            assertThat(outer).isInstanceOf(Outcome.InDoubt.class);
        }
    }

    @Test
    void aLedgerThatDoesNotAnswerFailsTheFutureAndNothingRuns() {
        Ledger down = new ForwardingLedger(Ledgers.open("memory:")) {
            @Override
            public Claim claim(ClaimRequest request) {
                throw new LedgerUnavailableException("down", null);
            }
        };
        try (Idem unreachable = Idem.on(down)) {
            CompletableFuture<Outcome<Object>> first = unreachable
                    .operation("charge")
                    .key("order-7")
                    .attemptStage(call -> CompletableFuture.completedFuture(runs.incrementAndGet()));

            assertThatThrownBy(first::get).hasCauseInstanceOf(LedgerUnavailableException.class);
            assertThat(runs).hasValue(0);
        }
    }
}
