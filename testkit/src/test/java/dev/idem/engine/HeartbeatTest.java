package dev.idem.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.Address;
import dev.idem.Idem;
import dev.idem.IdemBuilder;
import dev.idem.InFlightException;
import dev.idem.Listener;
import dev.idem.Operation;
import dev.idem.Policy;
import dev.idem.StaleTicketException;
import dev.idem.State;
import dev.idem.spi.Host;
import dev.idem.spi.Ledger;
import dev.idem.spi.LedgerContext;
import dev.idem.spi.Processes;
import dev.idem.spi.Ticket;
import dev.idem.spi.store.MemoryLedger;
import dev.idem.testkit.FaultyLedger;
import dev.idem.testkit.FaultyLedger.Point;
import dev.idem.testkit.SettableClocks;
import dev.idem.testkit.Until;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Heartbeats in real time, with short leases. */
class HeartbeatTest {
    private static final Duration LEASE = Duration.ofMillis(900);

    private final Ledger memory = new MemoryLedger(LedgerContext.ofHost(Host.system()));
    private final FaultyLedger ledger = new FaultyLedger(memory);

    @Test
    void anActionThatOutlastsItsLeaseKeepsItsKeyByHeartbeats() {
        try (Idem idem = open(ledger);
                Idem other = open(memory)) {
            slow(idem).run(call -> {
                Until.isTrue("several leases have passed", () -> ledger.passed(Point.AFTER_RENEW) >= 4);
                assertThat(call.stillOwner()).isTrue();
                assertThatThrownBy(() -> slow(other)
                                .policy(Policy.unset().waitFor(Duration.ZERO).rerunOnDoubt())
                                .run(again -> "twice"))
                        .isInstanceOf(InFlightException.class);
                return "once";
            });
        }
    }

    @Test
    void manyRunningActionsAreRenewedTogether() throws InterruptedException {
        try (Idem idem = open(ledger)) {
            int calls = 20;
            CountDownLatch running = new CountDownLatch(calls);
            CountDownLatch done = new CountDownLatch(1);
            List<Thread> threads = new CopyOnWriteArrayList<>();
            for (int i = 0; i < calls; i++) {
                String key = "k" + i;
                Thread thread = new Thread(() -> slow(idem).key(key).attempt(call -> {
                    running.countDown();
                    done.await();
                    return "done";
                }));
                threads.add(thread);
                thread.start();
            }
            running.await();
            int before = ledger.passed(Point.AFTER_RENEW);
            Until.isTrue("three rounds", () -> ledger.passed(Point.AFTER_RENEW) >= before + 3);
            for (int i = 0; i < calls; i++) {
                assertThat(memory.find(new Address("default", "slow", "k" + i)))
                        .get()
                        .satisfies(entry -> assertThat(entry.state()).isEqualTo(State.IN_PROGRESS));
            }
            done.countDown();
            for (Thread thread : threads) {
                thread.join();
            }
        }
    }

    @Test
    void aTicketThatWasLostIsToldToTheActionAndItsThreadIsInterruptedIfItAskedForThat() {
        SettableClocks clocks = new SettableClocks();
        Ledger shared = new MemoryLedger(new LedgerContext(clocks, Processes.unknown()));
        FaultyLedger reached = new FaultyLedger(shared);
        List<Ticket> lost = new CopyOnWriteArrayList<>();
        Listener listener = new Listener() {
            @Override
            public void lost(Ticket ticket) {
                lost.add(ticket);
            }
        };
        try (Idem slow = builder(reached).listener(listener).open();
                Idem taker = open(shared)) {
            assertThatThrownBy(() -> slow(slow)
                            .policy(Policy.unset().lease(Duration.ofSeconds(5)).interruptible())
                            .perform(call -> {
                                // A heartbeat in between would rightly revive the lapsed ticket.
                                reached.down();
                                clocks.advance(Duration.ofSeconds(6));
                                slow(taker)
                                        .policy(Policy.unset().rerunOnDoubt())
                                        .run(again -> "taken over");
                                reached.up();
                                new CountDownLatch(1).await();
                            }))
                    .isInstanceOf(InterruptedException.class)
                    .satisfies(thrown ->
                            assertThat(thrown.getSuppressed()).hasAtLeastOneElementOfType(StaleTicketException.class));
            assertThat(lost).hasSize(1);
            assertThat(slow.counts().losses()).isEqualTo(1);
        }
    }

    @Test
    void afterTheTimeLimitHeartbeatsStopAndTheEntryIsInDoubt() {
        try (Idem idem = open(ledger);
                Idem other = open(memory)) {
            slow(idem).policy(Policy.unset().timeLimit(Duration.ofSeconds(1))).run(call -> {
                Until.isTrue(
                        "the lease has lapsed",
                        () -> memory.find(call.address()).orElseThrow().state() == State.IN_DOUBT);
                assertThat(call.stillOwner()).isFalse();
                assertThat(other.operation("other").key("k").run(again -> 1)).isEqualTo(1L);
                return "late, but nobody took over";
            });
            assertThat(memory.find(new Address("default", "slow", "k"))
                            .orElseThrow()
                            .state())
                    .isEqualTo(State.COMPLETE);
        }
    }

    @Test
    void afterTheTimeLimitItDoesNotBelieveToBeTheOwner() {
        AtomicLong nanos = new AtomicLong();
        try (Idem idem = builder(memory).nanos(nanos::get).open()) {
            slow(idem).policy(Policy.unset().timeLimit(Duration.ofNanos(2))).run(call -> {
                assertThat(call.stillOwner()).isTrue();
                nanos.addAndGet(2);
                assertThat(call.stillOwner()).isFalse();
                return "late, but nobody took over";
            });
        }
    }

    @Test
    void aHeartbeatWithoutAnAnswerIsTriedAgainBeforeTheLeaseEnds() {
        ledger.fail(Point.BEFORE_RENEW, 2);
        try (Idem idem = open(ledger)) {
            slow(idem).run(call -> {
                Until.isTrue("renewed after two failures", () -> ledger.passed(Point.AFTER_RENEW) >= 3);
                assertThat(call.stillOwner()).isTrue();
                return "once";
            });
        }
    }

    private static Idem open(Ledger ledger) {
        return builder(ledger).open();
    }

    private static IdemBuilder builder(Ledger ledger) {
        return Idem.builder().ledger(ledger).quiet().closeWait(Duration.ZERO);
    }

    private static Operation<String> slow(Idem idem) {
        return idem.operation("slow")
                .key("k")
                .policy(Policy.unset().lease(LEASE))
                .returning(String.class);
    }
}
