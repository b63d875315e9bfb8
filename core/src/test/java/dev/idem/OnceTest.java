package dev.idem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.spi.Effect;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The plain promise: two calls, one effect, the same answer. */
class OnceTest {
    private final Idem idem = Idem.open("memory:");
    private final AtomicInteger effects = new AtomicInteger();

    record Receipt(String id, long cents) {}

    @AfterEach
    void close() {
        idem.close();
    }

    @Test
    void twoCallsOneEffect() {
        Outcome.Valued<Receipt> first = charge(4200);
        Outcome.Valued<Receipt> second = charge(4200);

        assertThat(effects).hasValue(1);
        assertThat(first.value()).isEqualTo(new Receipt("r1", 4200));
        assertThat(second.value()).isEqualTo(first.value());
        assertThat(first.replayed()).isFalse();
        assertThat(first.effect()).isEqualTo(Effect.CREATED);
        assertThat(second.replayed()).isTrue();
        assertThat(second.effect()).isEqualTo(Effect.NOOP);
        assertThat(second.executedAt()).isEqualTo(first.executedAt());
        assertThat(second.message()).contains("replayed");
    }

    /** A caller whose name is missing would get the results of another one. */
    @Test
    void aBlankScopeIsRefusedBeforeAnythingRuns() {
        for (String blank : new String[] {"", " ", "\t\n", "\u2003"}) {
            assertThatThrownBy(
                            () -> idem.operation("charge").scope(blank).key("k").run(call -> effects.incrementAndGet()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("the scope is blank");
            assertThatThrownBy(() -> RequestStore.builder().scope(blank))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("the scope is blank");
        }
        assertThat(effects).hasValue(0);
    }

    @Test
    void anotherIdentityIsAnotherOperation() {
        charge(4200);
        charge(4300);

        assertThat(effects).hasValue(2);
    }

    @Test
    void sameKeyForOtherArgumentsIsAConflict() {
        idem.operation("charge").key("k").identity(Map.of("cents", 1)).run(call -> effects.incrementAndGet());

        assertThatThrownBy(() -> idem.operation("charge")
                        .key("k")
                        .identity(Map.of("cents", 2))
                        .run(call -> effects.incrementAndGet()))
                .isInstanceOf(ConflictException.class)
                .hasMessageContaining("other arguments");
        assertThat(effects).hasValue(1);
    }

    @Test
    void anAmbiguousFailureIsInDoubtAndNotRunAgain() {
        assertThatThrownBy(() -> idem.operation("mail").key("k").run(call -> {
                    effects.incrementAndGet();
                    throw new java.io.IOException("response lost");
                }))
                .isInstanceOf(java.io.IOException.class)
                .satisfies(thrown ->
                        assertThat(thrown.getSuppressed()).hasAtLeastOneElementOfType(InDoubtException.class));

        assertThatThrownBy(() -> idem.operation("mail").key("k").run(call -> effects.incrementAndGet()))
                .isInstanceOf(InDoubtException.class)
                .hasMessageContaining("not run again");
        assertThat(effects).hasValue(1);
    }

    private Outcome.Valued<Receipt> charge(long cents) {
        return (Outcome.Valued<Receipt>) idem.operation("charge")
                .scope("order-1")
                .identity(Map.of("customer", "cus_1", "cents", cents))
                .returning(Receipt.class)
                .attempt(call -> new Receipt("r" + effects.incrementAndGet(), cents));
    }
}
