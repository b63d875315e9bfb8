package dev.idem.testkit.hazard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.Idem;
import dev.idem.LedgerUnavailableException;
import dev.idem.Listener;
import dev.idem.Policy;
import dev.idem.StaleTicketException;
import dev.idem.UnrecordedException;
import dev.idem.spi.Ticket;
import dev.idem.testkit.EngineCase;
import dev.idem.testkit.FaultyLedger;
import dev.idem.testkit.FaultyLedger.Point;
import dev.idem.testkit.Until;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** The engine on a ledger: hazards of heartbeats, interrupts and repeated requests. */
abstract class HeartbeatHazards extends EngineCase {
    /** An upper bound for requests with pauses; without pauses there would be far more. */
    private static final int A_FEW = 100;

    private final AtomicLong skew = new AtomicLong();

    /** The interrupt was meant for the action; it reached the thread's next wait after the call. */
    @Test
    void anActionThatWasInterruptedForItsTimeLimitAndEndsAllTheSameLeavesNoInterruptBehind() {
        Idem idem = open(builder(ledger(), processes().startOwner()).nanos(this::nanos));

        charge(idem).policy(Policy.unset().interruptible()).run(call -> {
            skew.addAndGet(LIMIT.toNanos());
            Until.isTrue("it is interrupted", () -> Thread.currentThread().isInterrupted());
            return act();
        });

        assertThat(Thread.interrupted()).isFalse();
    }

    @Test
    void anInterruptOfSomebodyElseIsStillThereAfterTheCall() {
        charge(idem()).policy(Policy.unset().interruptible()).run(call -> {
            Thread.currentThread().interrupt();
            return act();
        });

        assertThat(Thread.interrupted()).isTrue();
    }

    /** Its lease expired while the ledger was unreachable, and the action learned it only after a take-over. */
    @Test
    void noAnswerToHeartbeatsForAWholeLeaseIsToldToTheActionOnce() {
        AtomicInteger lost = new AtomicInteger();
        AtomicBoolean interrupted = new AtomicBoolean();
        FaultyLedger faulty = new FaultyLedger(ledger());
        Idem idem = open(
                builder(faulty, processes().startOwner()).nanos(this::nanos).listener(onLoss(lost::incrementAndGet)));

        charge(idem).policy(Policy.unset().interruptible()).run(call -> {
            faulty.down();
            skew.addAndGet(LEASE.toNanos());
            Until.isTrue("it is told", () -> lost.get() > 0);
            Until.isTrue("it is interrupted", () -> Thread.currentThread().isInterrupted());
            interrupted.set(!call.stillOwner());
            faulty.up();
            skew.addAndGet(LEASE.toNanos() / 3);
            Until.isTrue("it is renewed again", call::stillOwner);
            return act();
        });

        assertThat(interrupted).isTrue();
        assertThat(lost).hasValue(1);
    }

    /** A listener had set the interrupt flag of the heartbeat thread, which never paused again. */
    @Test
    void aListenerInterruptsTheHeartbeatThreadItStillPausesBetweenItsBeats() {
        AtomicInteger looks = new AtomicInteger();
        CountDownLatch lost = new CountDownLatch(1);
        AtomicLong heartbeats = new AtomicLong(-1);
        Idem idem = open(builder(ledger(), processes().startOwner())
                .nanos(() -> {
                    if (Thread.currentThread().getId() == heartbeats.get()) {
                        looks.incrementAndGet();
                    }
                    return nanos();
                })
                .listener(onLoss(() -> {
                    heartbeats.set(Thread.currentThread().getId());
                    Thread.currentThread().interrupt();
                    lost.countDown();
                })));

        assertThatThrownBy(() -> charge(idem).run(call -> {
                    passLease();
                    charge(idem()).policy(Policy.unset().rerunOnDoubt()).run(other -> "successor");
                    skew.addAndGet(LEASE.toNanos() / 2);
                    lost.await();
                    long end = System.nanoTime() + 200_000_000;
                    Until.isTrue("a while has passed", () -> System.nanoTime() - end > 0);
                    return act();
                }))
                .isInstanceOf(StaleTicketException.class);
        assertThat(looks).hasValueLessThan(A_FEW);
    }

    /** With its interrupt flag set a thread can't park: the ledger got thousands of requests in a row. */
    @Test
    void aThreadThatIsInterruptedWhileItAsksAgainStillPausesInBetween() {
        AtomicInteger claims = new AtomicInteger();
        FaultyLedger faulty = new FaultyLedger(ledger());
        for (int i = 0; i <= A_FEW; i++) {
            faulty.at(Point.BEFORE_CLAIM, () -> {
                claims.incrementAndGet();
                throw new LedgerUnavailableException("no answer", null);
            });
        }
        Idem idem = idem(faulty, processes().startOwner());
        Thread.currentThread().interrupt();

        assertThatThrownBy(() -> charge(idem)
                        .policy(Policy.unset().lease(Duration.ofMillis(100)))
                        .run(call -> act()))
                .isInstanceOf(LedgerUnavailableException.class);

        assertThat(Thread.interrupted()).isTrue();
        assertThat(claims).hasValueLessThan(A_FEW);
        assertThat(effects()).isZero();
    }

    @Test
    void aThreadThatIsInterruptedWhileItTellsTheOutcomeAgainStillPausesInBetween() {
        AtomicInteger settles = new AtomicInteger();
        FaultyLedger faulty = new FaultyLedger(ledger());
        for (int i = 0; i <= A_FEW; i++) {
            faulty.at(Point.BEFORE_SETTLE, () -> {
                if (settles.incrementAndGet() == 1) {
                    Thread.currentThread().interrupt();
                }
                throw new LedgerUnavailableException("no answer", null);
            });
        }

        assertThatThrownBy(() ->
                        charge(impatient(faulty, processes().startOwner())).run(call -> act()))
                .isInstanceOf(UnrecordedException.class);

        assertThat(Thread.interrupted()).isTrue();
        assertThat(settles).hasValueLessThan(A_FEW);
    }

    private long nanos() {
        return System.nanoTime() + skew.get();
    }

    private static Listener onLoss(Runnable then) {
        return new Listener() {
            @Override
            public void lost(Ticket ticket) {
                then.run();
            }
        };
    }
}
