package dev.idem.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.Address;
import dev.idem.Idem;
import dev.idem.InDoubtException;
import dev.idem.LedgerUnavailableException;
import dev.idem.Policy;
import dev.idem.Probe;
import dev.idem.State;
import dev.idem.spi.Host;
import dev.idem.spi.Ledger;
import dev.idem.spi.LedgerContext;
import dev.idem.spi.store.MemoryLedger;
import dev.idem.testkit.FaultyLedger;
import dev.idem.testkit.FaultyLedger.Point;
import dev.idem.testkit.Until;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/**
 * A claim that was granted while all its answers were lost used to lapse into doubt, although its caller had been told
 * that nothing ran.
 */
class LostClaimTest {
    private static final Duration LEASE = Duration.ofMillis(100);
    private static final Address CHARGE = new Address("default", "charge", "k");

    private final Ledger memory = new MemoryLedger(LedgerContext.ofHost(Host.system()));
    private final FaultyLedger ledger = new FaultyLedger(memory);
    private final AtomicInteger effects = new AtomicInteger();
    private final AtomicBoolean losing = new AtomicBoolean();

    @Test
    void aGrantThatNobodyHeardOfIsSettledAsNotExecutedAndRunsAgain() {
        try (Idem idem = open()) {
            loseClaims();
            assertUnavailable(() -> charge(idem));
            Until.isTrue("it is settled", () -> state() == State.FAILED);
            assertThat(charge(idem)).isEqualTo("charged");
        }
        assertThat(effects).hasValue(1);
    }

    @Test
    void aRerunThatNobodyHeardOfLeavesTheDoubt() {
        try (Idem idem = open()) {
            doubt(idem);
            ledger.at(Point.AFTER_CLAIM, () -> {});
            loseClaims();
            assertUnavailable(() -> idem.operation("charge")
                    .key("k")
                    .policy(Policy.unset().lease(LEASE).rerunOnDoubt())
                    .run(call -> act()));
            Until.isTrue(
                    "it is settled",
                    () -> memory.find(CHARGE).orElseThrow().fence().number() == 2
                            && memory.find(CHARGE).orElseThrow().settlement() != null);
            assertThat(state()).isEqualTo(State.IN_DOUBT);
            assertThatThrownBy(() -> charge(idem)).isInstanceOf(InDoubtException.class);
        }
        assertThat(effects).hasValue(1);
    }

    @Test
    void aProbeThatNobodyHeardOfSaysNothing() {
        try (Idem idem = open()) {
            doubt(idem);
            ledger.at(Point.AFTER_CLAIM, () -> {});
            loseClaims();
            assertUnavailable(() -> idem.operation("charge")
                    .key("k")
                    .policy(Policy.unset().lease(LEASE))
                    .probe(doubted -> Probe.Verdict.notExecuted())
                    .run(call -> act()));
            Until.isTrue(
                    "it is settled",
                    () -> memory.find(CHARGE).orElseThrow().fence().number() == 2
                            && memory.find(CHARGE).orElseThrow().settlement() != null);
            assertThat(state()).isEqualTo(State.IN_DOUBT);
        }
        assertThat(effects).hasValue(1);
    }

    private void doubt(Idem idem) {
        assertThatThrownBy(() -> idem.operation("charge")
                        .key("k")
                        .policy(Policy.unset().timeLimit(Duration.ofSeconds(1)))
                        .run(call -> {
                            act();
                            throw new IllegalStateException("timed out");
                        }))
                .hasMessage("timed out");
    }

    /** From the next claim on answers are lost, until its caller has given up. */
    private void loseClaims() {
        losing.set(true);
        for (int i = 0; i < 100; i++) {
            ledger.at(Point.AFTER_CLAIM, () -> {
                if (losing.get()) {
                    throw new LedgerUnavailableException("no answer, by order", null);
                }
            });
        }
    }

    private void assertUnavailable(ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOf(LedgerUnavailableException.class);
        losing.set(false);
    }

    private String charge(Idem idem) {
        return idem.operation("charge")
                .key("k")
                .policy(Policy.unset().lease(LEASE))
                .returning(String.class)
                .run(call -> act());
    }

    private String act() {
        effects.incrementAndGet();
        return "charged";
    }

    private State state() {
        return memory.find(CHARGE).orElseThrow().state();
    }

    private Idem open() {
        return Idem.builder()
                .ledger(ledger)
                .quiet()
                .purgeEvery(Duration.ZERO)
                .closeWait(Duration.ZERO)
                .open();
    }
}
