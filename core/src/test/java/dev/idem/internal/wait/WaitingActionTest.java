package dev.idem.internal.wait;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.Action;
import dev.idem.Entry;
import dev.idem.Idem;
import dev.idem.InDoubtException;
import dev.idem.NotExecutedException;
import dev.idem.Operation;
import dev.idem.Outcome;
import dev.idem.Policy;
import dev.idem.Probe.Verdict;
import dev.idem.spi.Ledger;
import dev.idem.spi.Ledgers;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Each wait here lasts until its own call was told that it has to wait. */
class WaitingActionTest {
    private final Ledger ledger = Ledgers.open("memory:");
    private final Idem idem = Idem.builder().ledger(ledger).quiet().open();
    private final Idem other = Idem.builder().ledger(ledger).quiet().open();
    private final CompletableFuture<String> receipt = new CompletableFuture<>();
    private final AtomicInteger told = new AtomicInteger();

    @AfterEach
    void close() {
        receipt.complete("late");
        other.close();
        idem.close();
        ledger.close();
    }

    private static Operation<String> charge(Idem of) {
        return of.operation("charge")
                .key("order-7")
                .returning(String.class)
                .policy(Policy.unset().waitFor(Duration.ofMinutes(1)));
    }

    private CompletableFuture<Outcome<String>> start() {
        return charge(idem).attemptStage(call -> receipt);
    }

    private Action<String, IOException> action(Runnable onWait) {
        return new WaitingAction<>(call -> "ch_2", () -> {
            told.incrementAndGet();
            onWait.run();
        });
    }

    private Action<String, IOException> losing() {
        return new WaitingAction<>(
                call -> {
                    call.remoteEnded();
                    throw new IOException("the connection was lost");
                },
                told::incrementAndGet);
    }

    /** An attempt that ends in doubt, as the next round where {@code resumes} says so. */
    private Outcome<String> round(Idem of, Predicate<Entry> resumes) {
        return charge(of)
                .attempt(new WaitingAction<>(
                        call -> {
                            told.incrementAndGet();
                            throw new IOException("one more question");
                        },
                        () -> {},
                        resumes));
    }

    /** A copy found the doubt of the first round, and went on when the second had ended in doubt again. */
    @Test
    void aCopyOfARoundDoesNotTakeOverTheDoubtOfALaterOne() {
        round(idem, doubted -> false);

        Outcome<String> copy = round(idem, doubted -> {
            round(other, now -> true);
            assertThat(told).as("the second round").hasValue(2);
            return true;
        });

        assertThat(copy).isInstanceOf(Outcome.InDoubt.class);
        assertThat(told).hasValue(2);
        Entry entry = ledger.find(((InDoubtException) copy.failure()).entry().address())
                .orElseThrow();
        assertThat(entry.attempt()).isEqualTo(2);
        assertThat(entry.failure().message()).as("what the third round needs").isEqualTo("one more question");
    }

    @Test
    void aRoundRunsWhereTheDoubtIsLeftToAPersonAndTheDoubtStaysUntilOneCompletes() {
        round(idem, doubted -> false);
        Outcome<String> nothing = charge(idem)
                .attempt(new WaitingAction<>(
                        call -> {
                            throw new NotExecutedException("not sent");
                        },
                        () -> {},
                        doubted -> true));
        assertThat(nothing).isInstanceOf(Outcome.InDoubt.class);

        Outcome<String> done = charge(idem)
                .policy(Policy.destructive())
                .attempt(new WaitingAction<>(call -> "ch_1", () -> {}, doubted -> true));

        assertThat(done).isInstanceOf(Outcome.Done.class);
    }

    @Test
    void aCallIsToldBeforeItWaitsForAnotherOfThisProcess() throws Exception {
        CompletableFuture<Outcome<String>> first = start();
        Outcome<String> duplicate = CompletableFuture.supplyAsync(
                        () -> charge(idem).attempt(action(() -> receipt.complete("ch_1"))))
                .get(1, TimeUnit.MINUTES);

        assertThat(duplicate)
                .isInstanceOfSatisfying(
                        Outcome.Replayed.class,
                        replayed -> assertThat(replayed.value()).isEqualTo("ch_1"));
        assertThat(first).isCompleted();
        assertThat(idem.counts().waits()).isEqualTo(1);
    }

    @Test
    void aCallIsToldBeforeItWaitsForAnotherProcess() throws Exception {
        CompletableFuture<Outcome<String>> first = start();

        assertThat(charge(other).run(action(() -> receipt.complete("ch_1")))).isEqualTo("ch_1");
        assertThat(first).isCompleted();
        assertThat(other.counts().waits()).isEqualTo(1);
    }

    @Test
    void aCallIsToldBeforeItWaitsForItsProbe() throws Exception {
        Operation<String> probed = charge(idem)
                .policy(Policy.unset().probeGrace(Duration.ofSeconds(50)))
                .probe(doubted -> Verdict.unknown());
        probed.attempt(losing());

        Runnable person = () -> idem.resolve(probed.find().orElseThrow()).asComplete("ch_1");
        assertThat(probed.run(action(person))).isEqualTo("ch_1");
        assertThat(told).hasValue(1);
    }

    @Test
    void aCallThatNeedNotWaitIsNotTold() throws Exception {
        CompletableFuture<Outcome<String>> first = start();
        Operation<String> impatient = charge(other).policy(Policy.unset().waitFor(Duration.ZERO));
        assertThat(impatient.attempt(action(() -> {}))).isInstanceOf(Outcome.InFlight.class);
        receipt.complete("ch_1");
        first.get(1, TimeUnit.MINUTES);
        assertThat(charge(other).run(action(() -> {}))).as("a replay").isEqualTo("ch_1");

        Operation<String> another = charge(idem).key("order-8");
        assertThat(another.attempt(losing()).failure()).as("a granted call").isInstanceOf(IOException.class);
        assertThat(another.attempt(losing()).failure()).as("a doubt").isInstanceOf(InDoubtException.class);
        assertThat(told).hasValue(0);
    }

    @Test
    void whatIsThrownBeforeAWaitEndsThatCallAlone() throws Exception {
        CompletableFuture<Outcome<String>> first = start();
        Action<String, IOException> throwing = action(() -> {
            throw new IllegalStateException("not now");
        });

        assertThatThrownBy(() -> charge(idem).attempt(throwing)).hasMessage("not now");
        receipt.complete("ch_1");
        assertThat(first.get(1, TimeUnit.MINUTES)).isInstanceOf(Outcome.Done.class);
        assertThat(charge(idem).run(throwing)).isEqualTo("ch_1");
    }
}
