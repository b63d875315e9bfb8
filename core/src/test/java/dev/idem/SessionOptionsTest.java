package dev.idem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Approval and retry are carried out by a session. A plain operation that ignored them would run without the approval
 * that its policy demands.
 */
class SessionOptionsTest {
    private final Idem idem = Idem.builder().ledger("memory:").quiet().open();

    @AfterEach
    void close() {
        idem.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"approval: true", "retry: 3", "side_effect: read\nretry: 3"})
    void anOperationWhosePolicyNeedsASessionIsRefusedBeforeItRuns(String text) {
        AtomicInteger runs = new AtomicInteger();
        Operation<?> drop = idem.operation("drop").key("users").policy(Policy.parse(text, name -> {
            throw new IllegalArgumentException(name);
        }));

        assertThatThrownBy(() -> drop.attempt(call -> {
                    runs.incrementAndGet();
                    return null;
                }))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("needs a session of idem-agent")
                .hasMessageContaining("Session.of(idem, id, Tool.named(\"drop\")");
        assertThat(runs).hasValue(0);
        assertThat(idem.find(new Address("default", "drop", "users"))).isEmpty();
    }
}
