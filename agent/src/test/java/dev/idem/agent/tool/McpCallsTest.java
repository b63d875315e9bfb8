package dev.idem.agent.tool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
        String field = McpCalls.meta(McpCalls.KEY);
        assertThat(McpCalls.given(field, "order-7")).isEqualTo("order-7");
        assertThat(McpCalls.given(field, 7L)).isEqualTo("7");
        assertThat(McpCalls.given(field, null)).isNull();
        assertThatThrownBy(() -> McpCalls.given(field, " "))
                .hasMessage("_meta[\"dev.idem/key\"] is blank; send a text such as \"order-7\", or leave the field out."
                        + " Nothing ran");
        assertThatThrownBy(() -> McpCalls.given(field, Map.of())).hasMessageContaining("is no text; send a text");
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
