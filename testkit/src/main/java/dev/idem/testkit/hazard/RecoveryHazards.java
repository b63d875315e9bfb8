package dev.idem.testkit.hazard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.Idem;
import dev.idem.InDoubtException;
import dev.idem.InFlightException;
import dev.idem.NotExecutedException;
import dev.idem.OperationFailedException;
import dev.idem.Outcome;
import dev.idem.Policy;
import dev.idem.Probe;
import dev.idem.State;
import dev.idem.spi.ClaimRequest;
import dev.idem.spi.Fingerprints;
import dev.idem.spi.Owner;
import dev.idem.spi.Ticket;
import dev.idem.testkit.EngineCase;
import dev.idem.testkit.FaultyLedger;
import dev.idem.testkit.Halted;
import dev.idem.testkit.Settlements;
import dev.idem.testkit.Until;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** The hazards of waiting for an owner and of recovery. */
abstract class RecoveryHazards extends EngineCase {
    /** The owner got its own value, and all other callers got the probe's result. */
    @Test
    void slowOwnerWhoseEffectAProbeFoundGetsWhatEverybodyGets() {
        Outcome.Valued<String> owner = (Outcome.Valued<String>) charge(idem()).attempt(call -> {
            act();
            passLimit();
            charge(idem()).probe(doubted -> Probe.Verdict.happened("found")).run(other -> act());
            return "own";
        });

        assertThat(owner.value()).isEqualTo("found");
        assertThat(charge(idem()).run(call -> act())).isEqualTo("found");
        assertThat(effects()).isEqualTo(1);
    }

    @Test
    void waiterTimesOutTheRunnersKeyIsUntouchedAndNothingRunsTwice() {
        Idem runner = idem();
        Idem waiter = idem();

        String value = charge(runner).run(call -> {
            assertThatThrownBy(() -> charge(waiter)
                            .policy(Policy.unset().waitFor(Duration.ofMillis(30)))
                            .run(other -> act()))
                    .isInstanceOf(InFlightException.class)
                    .hasMessageContaining("lease");
            return act();
        });

        assertThat(charge(waiter).run(call -> act())).isEqualTo(value);
        assertThat(effects()).isEqualTo(1);
    }

    @Test
    void oneFailureManyWaitersAllGetThatFailureAndNobodyRunsItAgain() {
        FaultyLedger watched = new FaultyLedger(ledger());
        Idem here = idem();
        Idem elsewhere = idem(watched, processes().startOwner());
        List<Thread> waiters = new ArrayList<>();
        List<Outcome<String>> outcomes = new CopyOnWriteArrayList<>();
        for (int i = 0; i < 16; i++) {
            Idem idem = i % 2 == 0 ? here : elsewhere;
            waiters.add(new Thread(() -> outcomes.add(charge(idem).attempt(call -> act()))));
        }

        assertThatThrownBy(() -> charge(here).run(call -> {
                    act();
                    waiters.forEach(Thread::start);
                    Until.isTrue(
                            "all wait for this attempt",
                            () -> watched.passed(FaultyLedger.Point.AFTER_FIND) > 0
                                    && waiters.stream()
                                            .allMatch(waiter -> waiter.getState() == Thread.State.TIMED_WAITING));
                    throw new NotExecutedException("refused by the bank");
                }))
                .isInstanceOf(NotExecutedException.class);
        Until.isTrue("all have an answer", () -> outcomes.size() == 16);

        assertThat(outcomes)
                .allSatisfy(outcome -> assertThat(outcome.failure())
                        .isInstanceOf(OperationFailedException.class)
                        .asString()
                        .contains("refused by the bank"));
        assertThat(effects()).isEqualTo(1);
    }

    @Test
    void probeWhileTheOwnerStillLivesIsNotWaitedForWhenTheOwnerSettlesMeanwhile() {
        Ticket ticket = granted(ClaimRequest.of(
                                nextAttempt(),
                                KEY,
                                Fingerprints.NONE,
                                processes().startOwner())
                        .withLease(LEASE)
                        .withTimeLimit(LIMIT))
                .ticket();
        passLease();
        // Between the claim's answer and the wait, without an announcement.
        FaultyLedger unannounced = new FaultyLedger(ledger())
                .at(FaultyLedger.Point.AFTER_CLAIM, () -> ledger().settle(ticket, Settlements.completed("\"late\"")));
        Idem idem = idem(unannounced, processes().startOwner());

        String found = charge(idem)
                .policy(Policy.unset().waitFor(Duration.ofHours(1)))
                .probe(doubted -> {
                    throw new AssertionError("there is nothing to ask");
                })
                .run(call -> act());

        assertThat(found).isEqualTo("late");
        assertThat(idem.counts().waits()).isEqualTo(1);
    }

    @Test
    void probeWhileTheOwnerStillLivesIsNotAskedBeforeItsTimeLimitIsOver() {
        Idem first = idem();
        AtomicBoolean asked = new AtomicBoolean();
        Probe<String> probe = doubted -> {
            asked.set(true);
            return Probe.Verdict.notExecuted();
        };

        charge(first).run(call -> {
            passLease();
            assertThatThrownBy(() -> charge(idem())
                            .policy(Policy.unset().waitFor(Duration.ZERO))
                            .probe(probe)
                            .run(other -> act()))
                    .isInstanceOf(InDoubtException.class);
            return act();
        });

        assertThat(asked).isFalse();
        assertThat(effects()).isEqualTo(1);
        assertThat(entry().state()).isEqualTo(State.COMPLETE);
    }

    @Test
    void probeWhileTheOwnerStillLivesItsCompletionIsWelcomeUntilTheTakerActs() throws InterruptedException {
        Idem first = idem();
        Idem taker = idem();
        CompletableFuture<String> takersAnswer = new CompletableFuture<>();

        CountDownLatch probing = new CountDownLatch(1);
        CountDownLatch completed = new CountDownLatch(1);
        Thread thread = new Thread(() -> takersAnswer.completeAsync(
                () -> charge(taker)
                        .probe(doubted -> {
                            probing.countDown();
                            completed.await();
                            return Probe.Verdict.notExecuted();
                        })
                        .run(other -> act()),
                Runnable::run));
        String value = charge(first).run(call -> {
            passLimit();
            thread.start();
            probing.await();
            return act();
        });
        completed.countDown();

        assertThat(takersAnswer.join()).isEqualTo(value);
        assertThat(effects()).isEqualTo(1);
    }

    @Test
    void aFailureAfterATakeOverDoesNotLaunderTheDoubtOfTheFirst() {
        Owner dying = processes().startOwner();
        FaultyLedger faulty =
                new FaultyLedger(ledger()).onHalt(() -> processes().kill(dying));
        faulty.halt(FaultyLedger.Point.BEFORE_SETTLE);
        assertThatThrownBy(() -> charge(idem(faulty, dying)).run(call -> act())).isInstanceOf(Halted.class);

        assertThatThrownBy(() -> charge(idem())
                        .policy(Policy.unset().rerunOnDoubt())
                        .run(call -> {
                            throw new NotExecutedException("connection refused");
                        }))
                .isInstanceOf(NotExecutedException.class);

        assertThatThrownBy(() -> charge(idem()).run(call -> act())).isInstanceOf(InDoubtException.class);
        assertThat(effects()).isEqualTo(1);
    }

    @Test
    void anAmbiguousTryUnderTheSameTicketIsNotForgottenWhenALaterOneIsDefinite() {
        assertThatThrownBy(() -> charge(idem()).run(call -> {
                    call.ambiguous(new IOException("first try timed out"));
                    throw new NotExecutedException("second try was refused a connection");
                }))
                .isInstanceOf(NotExecutedException.class);

        assertThat(entry().state()).isEqualTo(State.IN_DOUBT);
    }

    /** The settle of the rerun got no answer, and the caller was told that nothing had happened at all. */
    @Test
    void aRerunThatDidNothingAndCouldNotSaySoLeavesTheDoubtOfTheFirst() {
        assertThatThrownBy(() -> charge(idem()).run(call -> {
                    act();
                    throw new IOException("response lost");
                }))
                .isInstanceOf(IOException.class);
        FaultyLedger faulty = new FaultyLedger(ledger());

        Outcome<String> rerun = charge(impatient(faulty, processes().startOwner()))
                .policy(Policy.unset().rerunOnDoubt())
                .attempt(call -> {
                    faulty.down();
                    throw new NotExecutedException("connection refused");
                });
        faulty.up();

        assertThat(rerun).isInstanceOf(Outcome.InDoubt.class);
        assertThat(effects()).isEqualTo(1);
    }

    /** A time-out or a lost connection ended the action, and the probe was asked while the remote was still at it. */
    @Test
    void anExceptionThatIsNoAnswerOfTheRemoteDoesNotLetTheProbeBeAskedEarlier() {
        Policy graced = Policy.unset().waitFor(Duration.ZERO).probeGrace(Duration.ofSeconds(10));
        charge(idem()).policy(graced).attempt(call -> {
            call.remoteEnded();
            call.ambiguous(new IOException("the next request was lost"));
            throw new IOException("response lost");
        });
        pass(Duration.ofSeconds(11));

        assertThat(charge(idem())
                        .policy(graced)
                        .probe(doubted -> Probe.Verdict.notExecuted())
                        .attempt(call -> act()))
                .isInstanceOf(Outcome.InDoubt.class);
        assertThat(effects()).isZero();
    }

    /** The end was seen, and the grace of the remote was declared, but the probe waited for the whole time limit. */
    @Test
    void anActionWhoseEndWasSeenIsProbedAfterTheDeclaredGraceInsteadOfTheWholeTimeLimit() {
        Duration grace = Duration.ofSeconds(10);
        charge(idem()).policy(Policy.unset().probeGrace(grace)).attempt(call -> {
            call.remoteEnded();
            throw new IOException("response lost");
        });
        Probe<String> probe = doubted -> Probe.Verdict.happened("found");

        assertThat(charge(idem())
                        .policy(Policy.unset().waitFor(Duration.ZERO).probeGrace(grace))
                        .probe(probe)
                        .attempt(call -> act()))
                .as("the remote may still be at it")
                .isInstanceOf(Outcome.InDoubt.class);
        pass(grace.plusMillis(1));

        assertThat(charge(idem())
                        .policy(Policy.unset().waitFor(Duration.ZERO).probeGrace(grace))
                        .probe(probe)
                        .run(call -> act()))
                .isEqualTo("found");
    }

    @Test
    void withoutADeclaredGraceTheWholeTimeLimitOfAnActionThatThrewIsWaitedFor() {
        charge(idem()).attempt(call -> {
            throw new IOException("response lost");
        });
        pass(Duration.ofSeconds(10));

        assertThat(charge(idem())
                        .policy(Policy.unset().waitFor(Duration.ZERO))
                        .probe(doubted -> Probe.Verdict.notExecuted())
                        .attempt(call -> act()))
                .isInstanceOf(Outcome.InDoubt.class);
        assertThat(effects()).isZero();
    }

    /** The reported time of the run was that of the probe, minutes after the effect. */
    @Test
    void whatAProbeFoundRanWhenItWasFirstClaimedAndNotWhenTheProbeWasAsked() {
        Instant claimed = clocks().now().wall();
        charge(idem()).attempt(call -> {
            throw new IOException(act());
        });
        passLimit();

        Outcome.Valued<String> found = (Outcome.Valued<String>)
                charge(idem()).probe(doubted -> Probe.Verdict.happened("found")).attempt(call -> act());

        assertThat(found.executedAt()).isBefore(claimed.plus(LIMIT));
        assertThat(effects()).isEqualTo(1);
    }
}
