package dev.idem.agent.tool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Policy;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class McpCallsTest {
    @Test
    void keysThatAModelMadeIdentifyNothing() {
        Map<String, Object> made = Map.of("to", "ann", "idempotencyKey", "k", "meta", Map.of("idempotency-key", "k"));
        assertThat(McpCalls.identifying(made)).isEqualTo(Map.of("to", "ann", "meta", Map.of()));
    }

    @Test
    void aGivenKeyIsATextOrANumber() {
        assertThat(McpCalls.given("order-7")).isEqualTo("order-7");
        assertThat(McpCalls.given(7L)).isEqualTo("7");
        assertThat(McpCalls.given(" ")).isNull();
        assertThat(McpCalls.given(Map.of())).isNull();
    }

    @Test
    void aDeclaredPolicyStandsAndAReadDoesNotLapse() {
        Duration window = Duration.ofMinutes(1);
        Policy declared = Policy.write().retention(Duration.ofDays(30)).waitFor(Duration.ZERO);
        assertThat(McpCalls.policy(declared, window).retention().keep()).isEqualTo(Duration.ofDays(30));
        assertThat(McpCalls.policy(declared, window).waitFor()).isZero();
        assertThat(McpCalls.policy(Policy.write(), window).retention().keep()).isEqualTo(window);
        assertThat(McpCalls.policy(Policy.write(), null).hasRetention()).isFalse();
        assertThat(McpCalls.policy(Policy.read(), window).hasRetention()).isFalse();
        assertThat(McpCalls.policy(Policy.write(), null).waitFor()).isEqualTo(Duration.ofSeconds(50));
        assertThat(McpCalls.policy(Policy.destructive(), null).waitFor())
                .isEqualTo(Policy.destructive().waitFor());
    }
}
