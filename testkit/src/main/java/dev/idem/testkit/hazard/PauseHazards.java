package dev.idem.testkit.hazard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.Idem;
import dev.idem.Listener;
import dev.idem.NotExecutedException;
import dev.idem.Outcome;
import dev.idem.Policy;
import dev.idem.Probe;
import dev.idem.State;
import dev.idem.spi.Ticket;
import dev.idem.testkit.EngineCase;
import dev.idem.testkit.FaultyLedger;
import dev.idem.testkit.Until;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** The hazards of a process that was paused, asleep or closed between two of its steps. */
abstract class PauseHazards extends EngineCase {
    @Test
    void processPausedPastItsLeaseIsToldThatItMayNotBeTheOwnerAnyMore() {
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

    /** The ticket was lost before the point of no return, but the action was started all the same. */
    @Test
    void ticketLostWhilePreparingTheActionIsNotBegun() {
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
                            charge(idem()).policy(Policy.unset().rerunOnDoubt()).run(other -> act());
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

    /** An owner is paused after its grant: a probe rightly finds nothing, the successor acts, then the owner acted. */
    @Test
    void processPausedBetweenItsClaimAndItsActionTheActionIsNotBegun() {
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

    /** While the machine slept, its monotonic clock stood still, but the ledger's clock did not. */
    @Test
    void processAsleepBetweenItsClaimAndItsActionTheActionIsNotBegun() {
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
    void processAsleepDuringItsActionIsNotTheOwnerUntilItsNextHeartbeat() {
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

    /** The action no longer counted as running, and settled after everything was closed. */
    @Test
    void closedWhileAnActionRunsOnPastItsTimeLimitWaitsForItToSettle() throws InterruptedException {
        AtomicLong nanos = new AtomicLong();
        Idem idem = open(
                builder(ledger(), processes().startOwner()).nanos(nanos::get).closeWait(Duration.ofSeconds(60)));
        Thread closing = new Thread(idem::close);

        charge(idem).policy(Policy.unset().interruptible()).run(call -> {
            nanos.addAndGet(LIMIT.toNanos() + 1);
            // It is interrupted when its heartbeats end.
            assertThatThrownBy(() -> new CountDownLatch(1).await()).isInstanceOf(InterruptedException.class);
            closing.start();
            closing.join(300);
            assertThat(closing.isAlive()).isTrue();
            return act();
        });

        closing.join();
        assertThat(entry().state()).isEqualTo(State.COMPLETE);
    }

    /** After the time limit a probe may already have been asked, so no action may start. */
    @Test
    void processPausedPastItsTimeLimitBeforeItsActionTheActionIsNotBegun() {
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
    void processPausedBetweenItsClaimAndItsActionNobodyTookOverSoItActs() {
        AtomicLong nanos = new AtomicLong();
        FaultyLedger pausing = new FaultyLedger(ledger())
                .at(FaultyLedger.Point.AFTER_CLAIM, () -> nanos.addAndGet(LEASE.toNanos() + 1));
        Idem paused = open(builder(pausing, processes().startOwner()).nanos(nanos::get));

        assertThat(charge(paused).run(call -> act())).isEqualTo(KEY.key() + " #1");
        assertThat(pausing.passed(FaultyLedger.Point.AFTER_RENEW)).isPositive();
    }

    /** An action that ran after the close had no heartbeats: its lease expired while it worked. */
    @Test
    void closedWhileACallClaimsItsActionIsNotBegun() {
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
    void closedWhileACallWaitsItDoesNotClaimAgain() throws InterruptedException {
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
}
