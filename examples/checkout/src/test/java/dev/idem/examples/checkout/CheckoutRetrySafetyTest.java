package dev.idem.examples.checkout;

import static org.assertj.core.api.Assertions.assertThat;

import com.anthropic.client.AnthropicClient;
import com.anthropic.client.okhttp.AnthropicOkHttpClient;
import dev.idem.Policy;
import dev.idem.agent.session.Session;
import dev.idem.agent.tool.Tool;
import dev.idem.agent.tool.Toolbox;
import dev.idem.testkit.AgentWorld;
import dev.idem.testkit.RetrySafety;
import dev.idem.testkit.SafetyReport;
import java.io.IOException;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The agent's process dies before and after every claim, effect and settle, and every response gets lost once. */
class CheckoutRetrySafetyTest {
    private final AgentWorld world = new AgentWorld();
    private final World model = new World();
    private final AnthropicClient client = AnthropicOkHttpClient.builder()
            .baseUrl(model.url())
            .apiKey("none")
            .maxRetries(0)
            .build();

    CheckoutRetrySafetyTest() throws IOException {}

    @AfterEach
    void close() {
        client.close();
        model.close();
        world.close();
    }

    /** Services whose effects the world counts. */
    private final Services services = new Services() {
        @Override
        public String post(String path, Map<String, ?> body, String key) {
            return switch (path) {
                case "/charges" -> world.act("charge", key);
                case "/mails" -> world.act("email");
                default -> world.act("order");
            };
        }

        @Override
        public String get(String path) {
            return world.lookUp("order").orElse("none");
        }
    };

    private SafetyReport examine(UnaryOperator<Toolbox> change) {
        return RetrySafety.examine(
                () -> {
                    try (Session session =
                            Session.of(world.idem(), "order-7", change.apply(CheckoutTools.of(services)))) {
                        String answer = new CheckoutAgent(client, session).run("cus_1");
                        if (!answer.equals("done")) {
                            throw new IllegalStateException(answer);
                        }
                    }
                },
                world);
    }

    @Test
    void theCheckoutAgentIsSafeToRetry() {
        SafetyReport report = examine(tools -> tools);

        assertThat(report.findings()).isEmpty();
        assertThat(report.text()).startsWith("charge: 1, email: 1, order: 1\n");
    }

    @Test
    void anEmailThatNobodyGuardsIsFound() {
        // A READ is not claimed, and that is what somebody who tags a tool wrongly gets.
        SafetyReport report = examine(tools -> Toolbox.of(
                tools.find("charge").orElseThrow(),
                Tool.named("send_email")
                        .policy(Policy.read())
                        .run((call, in) -> services.post("/mails", in.fields(), call.key())),
                tools.find("create_order").orElseThrow()));

        assertThat(report.safe()).isFalse();
        assertThat(report.text()).startsWith("charge: 1, email: 2 ← not guarded, order: 1\n");
    }
}
