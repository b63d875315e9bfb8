package dev.idem.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.Idem;
import dev.idem.Policy;
import dev.idem.Probe;
import java.util.HashSet;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The check finds what is not safe to retry, and passes what is. */
class RetrySafetyTest {
    private final AgentWorld world = new AgentWorld();

    @AfterEach
    void close() {
        world.close();
    }

    /** Three steps, each guarded. */
    private static void checkout(Idem idem, UnaryOperator<String> act) {
        for (String step : new String[] {"charge", "email", "order"}) {
            idem.operation(step)
                    .scope("order-7")
                    .key(step)
                    .returning(String.class)
                    .run(call -> act.apply(step));
        }
    }

    @Test
    void aGuardedAgentPassesAndStopsInDoubtWhereNobodyCanKnow() {
        SafetyReport report = RetrySafety.examine(() -> checkout(world.idem(), world::act), world);

        assertThat(report.findings()).isEmpty();
        assertThat(report.effects())
                .containsOnlyKeys("charge", "email", "order")
                .containsValue(1);
        assertThat(report.text()).startsWith("charge: 1, email: 1, order: 1\n").contains("is in doubt");
        // Each step: around its claim, its effect and its settle; and a lost response; and the second run.
        assertThat(report.disturbances()).isEqualTo(1 + 3 * (6 + 1));
        RetrySafety.check(() -> checkout(world.idem(), world::act), world);
    }

    @Test
    void anUnguardedEmailIsFound() {
        RetrySafety.Agent agent = () -> {
            world.idem().operation("charge").key("order-7").run(call -> world.act("charge"));
            world.act("email");
            world.idem().operation("order").key("order-7").run(call -> world.act("order"));
        };

        SafetyReport report = RetrySafety.examine(agent, world);

        assertThat(report.safe()).isFalse();
        assertThat(report.text()).startsWith("charge: 1, email: 2 ← not guarded, order: 1\n");
        assertThatThrownBy(() -> RetrySafety.check(agent, world))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("email took effect 2 times instead of 1 when it was run twice");
    }

    @Test
    void aProbeLetsEveryRunComeToItsEnd() {
        SafetyReport report = RetrySafety.examine(
                () -> world.idem()
                        .operation("charge")
                        .key("order-7")
                        .returning(String.class)
                        .probe(doubted -> world.lookUp("charge")
                                .map(Probe.Verdict::happened)
                                .orElseGet(Probe.Verdict::notExecuted))
                        .run(call -> world.act("charge")),
                world);

        assertThat(report.safe()).isTrue();
        assertThat(report.stops()).isZero();
    }

    @Test
    void whatIsWronglyDeclaredSafeIsFound() {
        SafetyReport report = RetrySafety.examine(
                () -> world.idem()
                        .operation("charge")
                        .key("order-7")
                        .policy(Policy.idempotent())
                        .run(call -> world.act("charge")),
                world);

        assertThat(report.text()).startsWith("charge: 2 ← not guarded");
    }

    @Test
    void aProviderThatKnowsTheKeyMakesItSafe() {
        SafetyReport report = RetrySafety.examine(
                () -> world.idem()
                        .operation("charge")
                        .key("order-7")
                        .policy(Policy.idempotent())
                        .run(call -> world.act("charge", call.key())),
                world);

        assertThat(report.findings()).isEmpty();
        assertThat(report.stops()).isZero();
    }

    @Test
    void aRetryLoopAroundWhatIsNotGuardedIsFound() {
        SafetyReport report = RetrySafety.examine(
                () -> world.idem().operation("charge").key("order-7").run(call -> {
                    try {
                        return world.act("charge");
                    } catch (RuntimeException timeOut) {
                        return world.act("charge");
                    }
                }),
                world);

        assertThat(report.text())
                .startsWith("charge: 2 ← not guarded")
                .contains("a response was lost after the effect 'charge'");
    }

    @Test
    void anEffectThatIsMarkedAsDoneBeforeItIsDoneIsLost() {
        SafetyReport report = RetrySafety.examine(
                () -> {
                    Set<String> first = new HashSet<>();
                    world.idem().operation("seen").key("event-1").run(call -> first.add("event-1"));
                    if (!first.isEmpty()) {
                        world.act("email");
                    }
                },
                world);

        assertThat(report.text())
                .startsWith("email: 0 ← lost")
                .contains("the agent came to its end all the same. Act inside the operation, not after it");
    }

    @Test
    void anAgentThatSwallowsEverythingIsDeadAllTheSame() {
        RetrySafety.check(
                () -> {
                    for (int i = 0; i < 3; i++) {
                        try {
                            checkout(world.idem(), world::act);
                            return;
                        } catch (Throwable swallowed) {
                            // It tries again, whatever happened.
                        }
                    }
                    throw new IllegalStateException("tried three times");
                },
                world);
    }

    @Test
    void anAgentThatFailsUndisturbedIsNoUse() {
        assertThatThrownBy(() -> RetrySafety.check(
                        () -> {
                            throw new IllegalStateException("no API key");
                        },
                        world))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("fails without any fault")
                .hasRootCauseMessage("no API key");
    }

    @Test
    void anAgentThatTheWorldDoesNotSeeIsNoUse() {
        assertThatThrownBy(() -> RetrySafety.check(() -> {}, world))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("world.act");
    }
}
