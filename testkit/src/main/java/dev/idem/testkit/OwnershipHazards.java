package dev.idem.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.Idem;
import dev.idem.call.Listener;
import dev.idem.call.Outcome;
import dev.idem.call.Probe;
import dev.idem.entry.Fingerprints;
import dev.idem.entry.Owner;
import dev.idem.entry.State;
import dev.idem.entry.Ticket;
import dev.idem.error.InDoubtException;
import dev.idem.error.InFlightException;
import dev.idem.error.NotExecutedException;
import dev.idem.error.OperationFailedException;
import dev.idem.error.SelfWaitException;
import dev.idem.error.StaleTicketException;
import dev.idem.ledger.ClaimRequest;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** The engine on a ledger: what goes wrong when several believe that an operation is theirs. */
public abstract class OwnershipHazards extends EngineCase {

    @Test
    void checkThenMark_sixteenAtOnceInTwoProcesses_oneEffectAndSixteenEqualAnswers() {
        Idem one = idem();
        Idem two = idem();
        List<Callable<String>> callers = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
            Idem idem = i % 2 == 0 ? one : two;
            callers.add(() -> charge(idem).run(call -> act()).value());
        }

        List<String> answers = Race.between(callers);

        assertThat(effects()).isEqualTo(1);
        assertThat(answers).hasSize(16).containsOnly(KEY.key() + " #1");
    }

    @Test
    void leaseEndsWhileASlowOwnerWorks_theLateResultIsRefusedLoudlyAndTheSuccessorsStays() {
        Idem slow = idem();
        Idem successor = idem();

        assertThatThrownBy(() -> charge(slow).run(call -> {
                    passLease();
                    charge(successor).rerun().run(other -> "successor");
                    return "slow";
                }))
                .isInstanceOfSatisfying(StaleTicketException.class, stale -> {
                    assertThat(stale.value()).isEqualTo("slow");
                    assertThat(stale).hasMessageContaining("stale").hasMessageContaining("complete");
                });

        assertThat(slow.counts().refusals()).isEqualTo(1);
        assertThat(charge(idem()).run(call -> act()).value()).isEqualTo("successor");
        assertThat(effects()).isZero();
    }

    @Test
    void leaseEndsWhileASlowOwnerWorks_itsLateExceptionChangesNothingEither() {
        Idem slow = idem();
        Idem successor = idem();

        assertThatThrownBy(() -> charge(slow).run(call -> {
                    passLease();
                    charge(successor).rerun().run(other -> "successor");
                    throw new NotExecutedException("late");
                }))
                .isInstanceOf(NotExecutedException.class)
                .satisfies(thrown ->
                        assertThat(thrown.getSuppressed()).hasAtLeastOneElementOfType(StaleTicketException.class));

        assertThat(slow.counts().refusals()).isEqualTo(1);
        assertThat(entry().state()).isEqualTo(State.COMPLETE);
    }

    @Test
    void leaseEndsWhileASlowOwnerWorks_nobodyTookOverSoItsNewsIsGoodNews() {
        Outcome.Valued<String> outcome = charge(idem()).run(call -> {
            passLease();
            return act();
        });

        assertThat(outcome.value()).isEqualTo(KEY.key() + " #1");
        assertThat(entry().state()).isEqualTo(State.COMPLETE);
    }

    @Test
    void processPausedPastItsLease_isToldThatItMayNotBeTheOwnerAnyMore() {
        AtomicLong nanos = new AtomicLong();
        Idem paused = open(builder(ledger(), processes().startOwner()).nanos(nanos::get));
        AtomicBoolean before = new AtomicBoolean();
        AtomicBoolean after = new AtomicBoolean(true);

        charge(paused).run(call -> {
            before.set(call.stillOwner());
            nanos.addAndGet(LEASE.toNanos() + 1);
            after.set(call.stillOwner());
            return "done";
        });

        assertThat(before).isTrue();
        assertThat(after).isFalse();
    }

    /** Its ticket is known to be lost before the point of no return, and it went past it all the same. */
    @Test
    void ticketLostWhilePreparing_theActionIsNotBegun() {
        AtomicLong nanos = new AtomicLong();
        CountDownLatch lost = new CountDownLatch(1);
        Idem slow = open(
                builder(ledger(), processes().startOwner()).nanos(nanos::get).listener(new Listener() {
                    @Override
                    public void lost(Ticket ticket) {
                        lost.countDown();
                    }
                }));

        assertThatThrownBy(() -> charge(slow)
                        .prepare(() -> {
                            passLease();
                            charge(idem()).rerun().run(other -> act());
                            nanos.addAndGet(LEASE.toNanos() / 2);
                            lost.await();
                            return "prepared";
                        })
                        .run((call, prepared) -> act()))
                .isInstanceOf(NotExecutedException.class)
                .hasMessageContaining("taken over");
        assertThat(effects()).isEqualTo(1);
        assertThat(entry().state()).isEqualTo(State.COMPLETE);
    }

    /** The owner was given its own value, and everybody else what the probe had found. */
    @Test
    void slowOwnerWhoseEffectAProbeFound_getsWhatEverybodyGets() {
        Outcome.Valued<String> owner = charge(idem()).run(call -> {
            act();
            passLimit();
            charge(idem()).probe(doubted -> Probe.Verdict.happened("found")).run(other -> act());
            return "own";
        });

        assertThat(owner.value()).isEqualTo("found");
        assertThat(charge(idem()).run(call -> act()).value()).isEqualTo("found");
        assertThat(effects()).isEqualTo(1);
    }

    /** Granted, then paused: a probe rightly finds nothing, the successor acts, and then the first went on to act. */
    @Test
    void processPausedBetweenItsClaimAndItsAction_theActionIsNotBegun() {
        AtomicLong nanos = new AtomicLong();
        FaultyLedger pausing = new FaultyLedger(ledger()).at(FaultyLedger.Point.AFTER_CLAIM, () -> {
            passLimit();
            nanos.addAndGet(LEASE.toNanos() + 1);
            charge(idem()).probe(doubted -> Probe.Verdict.notExecuted()).run(other -> act());
        });
        Idem paused = open(builder(pausing, processes().startOwner()).nanos(nanos::get));

        assertThatThrownBy(() -> charge(paused).run(call -> act()))
                .isInstanceOf(NotExecutedException.class)
                .hasMessageContaining("taken over");
        assertThat(effects()).isEqualTo(1);
    }

    /** While the machine slept, its monotonic clock stood still, and that of the ledger went on. */
    @Test
    void processAsleepBetweenItsClaimAndItsAction_theActionIsNotBegun() {
        AtomicLong wall = new AtomicLong();
        FaultyLedger sleeping = new FaultyLedger(ledger()).at(FaultyLedger.Point.AFTER_CLAIM, () -> {
            passLimit();
            wall.addAndGet(LIMIT.toMillis());
            charge(idem()).probe(doubted -> Probe.Verdict.notExecuted()).run(other -> act());
        });
        Idem asleep = open(builder(sleeping, processes().startOwner()).wall(wall::get));

        assertThatThrownBy(() -> charge(asleep).run(call -> act()))
                .isInstanceOf(NotExecutedException.class)
                .hasMessageContaining("taken over");
        assertThat(effects()).isEqualTo(1);
    }

    @Test
    void processAsleepDuringItsAction_isNotTheOwnerUntilItsNextHeartbeat() {
        AtomicLong wall = new AtomicLong();
        Idem asleep = open(builder(ledger(), processes().startOwner()).wall(wall::get));

        charge(asleep).run(call -> {
            assertThat(call.stillOwner()).isTrue();
            wall.addAndGet(LEASE.toMillis());
            assertThat(call.stillOwner()).isFalse();
            Until.isTrue("it is renewed at once", call::stillOwner);
            return act();
        });
    }

    /** It no longer counted as running, and its settle came when everything was closed. */
    @Test
    void closedWhileAnActionRunsOnPastItsTimeLimit_waitsForItToSettle() throws InterruptedException {
        AtomicLong nanos = new AtomicLong();
        Idem idem = open(
                builder(ledger(), processes().startOwner()).nanos(nanos::get).closeWait(Duration.ofSeconds(60)));
        Thread closing = new Thread(idem::close);

        charge(idem).interruptible().run(call -> {
            nanos.addAndGet(LIMIT.toNanos() + 1);
            // It is told so when it gets no more heartbeats.
            assertThatThrownBy(() -> new CountDownLatch(1).await()).isInstanceOf(InterruptedException.class);
            closing.start();
            closing.join(300);
            assertThat(closing.isAlive()).isTrue();
            return act();
        });

        closing.join();
        assertThat(entry().state()).isEqualTo(State.COMPLETE);
    }

    /** Past its time limit a probe may already be asked whether anything happened, so nothing may begin to. */
    @Test
    void processPausedPastItsTimeLimitBeforeItsAction_theActionIsNotBegun() {
        AtomicLong nanos = new AtomicLong();
        FaultyLedger pausing = new FaultyLedger(ledger())
                .at(FaultyLedger.Point.AFTER_CLAIM, () -> nanos.addAndGet(LIMIT.toNanos() + 1));
        Idem paused = open(builder(pausing, processes().startOwner()).nanos(nanos::get));

        assertThatThrownBy(() -> charge(paused).run(call -> act()))
                .isInstanceOf(NotExecutedException.class)
                .hasMessageContaining("time limit");
        assertThat(effects()).isZero();
        assertThat(entry().state()).isEqualTo(State.FAILED);
    }

    @Test
    void processPausedBetweenItsClaimAndItsAction_nobodyTookOverSoItActs() {
        AtomicLong nanos = new AtomicLong();
        FaultyLedger pausing = new FaultyLedger(ledger())
                .at(FaultyLedger.Point.AFTER_CLAIM, () -> nanos.addAndGet(LEASE.toNanos() + 1));
        Idem paused = open(builder(pausing, processes().startOwner()).nanos(nanos::get));

        assertThat(charge(paused).run(call -> act()).value()).isEqualTo(KEY.key() + " #1");
        assertThat(pausing.passed(FaultyLedger.Point.AFTER_RENEW)).isPositive();
    }

    /** What ran after the close had no heartbeats: its lease ended while it worked. */
    @Test
    void closedWhileACallClaims_itsActionIsNotBegun() {
        AtomicReference<Idem> closing = new AtomicReference<>();
        FaultyLedger faulty = new FaultyLedger(ledger())
                .at(
                        FaultyLedger.Point.AFTER_CLAIM,
                        () -> Objects.requireNonNull(closing.get()).close());
        Idem idem = idem(faulty, processes().startOwner());
        closing.set(idem);

        assertThatThrownBy(() -> charge(idem).run(call -> act()))
                .isInstanceOf(NotExecutedException.class)
                .hasMessageContaining("closed");
        assertThat(effects()).isZero();
        assertThat(entry().state()).isEqualTo(State.FAILED);
    }

    @Test
    void closedWhileACallWaits_itDoesNotClaimAgain() throws InterruptedException {
        FaultyLedger watched = new FaultyLedger(ledger());
        Idem closing = idem(watched, processes().startOwner());
        CompletableFuture<Outcome<String>> waiters = new CompletableFuture<>();
        Thread waiter =
                new Thread(() -> waiters.completeAsync(() -> charge(closing).attempt(call -> act()), Runnable::run));

        charge(idem()).run(call -> {
            waiter.start();
            Until.isTrue("it waits", () -> watched.passed(FaultyLedger.Point.AFTER_FIND) > 0);
            closing.close();
            return act();
        });

        assertThatThrownBy(waiters::join).hasRootCauseInstanceOf(IllegalStateException.class);
        waiter.join();
        assertThat(effects()).isEqualTo(1);
    }

    @Test
    void waiterTimesOut_theRunnersKeyIsUntouchedAndNothingRunsTwice() {
        Idem runner = idem();
        Idem waiter = idem();

        String value = charge(runner)
                .run(call -> {
                    assertThatThrownBy(() -> charge(waiter)
                                    .waitFor(Duration.ofMillis(30))
                                    .run(other -> act()))
                            .isInstanceOf(InFlightException.class)
                            .hasMessageContaining("lease");
                    return act();
                })
                .value();

        assertThat(charge(waiter).run(call -> act()).value()).isEqualTo(value);
        assertThat(effects()).isEqualTo(1);
    }

    @Test
    void oneFailureManyWaiters_allGetThatFailureAndNobodyRunsItAgain() {
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
                .allSatisfy(outcome -> assertThat(outcome.why())
                        .get()
                        .isInstanceOf(OperationFailedException.class)
                        .asString()
                        .contains("refused by the bank"));
        assertThat(effects()).isEqualTo(1);
    }

    @Test
    void anOperationInsideItself_isRefusedAtOnceWithTheChainOfParents() {
        Idem idem = idem();

        assertThatThrownBy(() -> charge(idem)
                        .run(call -> idem.operation("mail")
                                .key("m")
                                .returning(String.class)
                                .run(inner -> charge(idem).run(again -> act()).value())
                                .value()))
                .isInstanceOfSatisfying(
                        SelfWaitException.class,
                        refused -> assertThat(refused.chain())
                                .extracting(address -> address.operation())
                                .containsExactly("charge", "mail"));
        assertThat(effects()).isZero();
    }

    @Test
    void probeWhileTheOwnerStillLives_isNotWaitedForWhenTheOwnerSettlesMeanwhile() {
        Ticket ticket = granted(ClaimRequest.of(
                                nextAttempt(),
                                KEY,
                                Fingerprints.NONE,
                                processes().startOwner())
                        .withLease(LEASE)
                        .withTimeLimit(LIMIT))
                .ticket();
        passLease();
        // Between what the claim said and the wait, and nobody announces it.
        FaultyLedger unannounced = new FaultyLedger(ledger())
                .at(FaultyLedger.Point.AFTER_CLAIM, () -> ledger().settle(ticket, Settlements.completed("\"late\"")));
        Idem idem = idem(unannounced, processes().startOwner());

        Outcome.Valued<String> found = charge(idem)
                .waitFor(Duration.ofHours(1))
                .probe(doubted -> {
                    throw new AssertionError("there is nothing to ask");
                })
                .run(call -> act());

        assertThat(found.value()).isEqualTo("late");
        assertThat(idem.counts().waits()).isEqualTo(1);
    }

    @Test
    void probeWhileTheOwnerStillLives_isNotAskedBeforeItsTimeLimitIsOver() {
        Idem first = idem();
        AtomicBoolean asked = new AtomicBoolean();
        Probe<String> probe = doubted -> {
            asked.set(true);
            return Probe.Verdict.notExecuted();
        };

        charge(first).run(call -> {
            passLease();
            assertThatThrownBy(() ->
                            charge(idem()).waitFor(Duration.ZERO).probe(probe).run(other -> act()))
                    .isInstanceOf(InDoubtException.class);
            return act();
        });

        assertThat(asked).isFalse();
        assertThat(effects()).isEqualTo(1);
        assertThat(entry().state()).isEqualTo(State.COMPLETE);
    }

    @Test
    void probeWhileTheOwnerStillLives_itsCompletionIsWelcomeUntilTheTakerActs() throws InterruptedException {
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
                        .run(other -> act())
                        .value(),
                Runnable::run));
        String value = charge(first)
                .run(call -> {
                    passLimit();
                    thread.start();
                    probing.await();
                    return act();
                })
                .value();
        completed.countDown();

        assertThat(takersAnswer.join()).isEqualTo(value);
        assertThat(effects()).isEqualTo(1);
    }

    @Test
    void aFailureAfterATakeOver_doesNotLaunderTheDoubtOfTheFirst() {
        Owner dying = processes().startOwner();
        FaultyLedger faulty =
                new FaultyLedger(ledger()).onHalt(() -> processes().kill(dying));
        faulty.halt(FaultyLedger.Point.BEFORE_SETTLE);
        assertThatThrownBy(() -> charge(idem(faulty, dying)).run(call -> act())).isInstanceOf(Halted.class);

        assertThatThrownBy(() -> charge(idem()).rerun().run(call -> {
                    throw new NotExecutedException("connection refused");
                }))
                .isInstanceOf(NotExecutedException.class);

        assertThatThrownBy(() -> charge(idem()).run(call -> act())).isInstanceOf(InDoubtException.class);
        assertThat(effects()).isEqualTo(1);
    }

    @Test
    void anAmbiguousTryUnderTheSameTicket_isNotForgottenWhenALaterOneIsDefinite() {
        assertThatThrownBy(() -> charge(idem()).run(call -> {
                    call.ambiguous(new IOException("first try timed out"));
                    throw new NotExecutedException("second try was refused a connection");
                }))
                .isInstanceOf(NotExecutedException.class);

        assertThat(entry().state()).isEqualTo(State.IN_DOUBT);
    }
}
