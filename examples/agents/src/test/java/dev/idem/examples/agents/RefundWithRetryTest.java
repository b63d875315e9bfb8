package dev.idem.examples.agents;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Idem;
import dev.idem.examples.agents.ModelServer.Reply;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RefundWithRetryTest {
    private static final String QUESTION = "My teapot came broken. I want my money back for order o-7";

    private final FlakyPayments payments = new FlakyPayments();

    @Test
    void theResponseIsLostTheSameKeyGoesAgainAndThereIsOneRefund() throws Exception {
        payments.losing(1);
        try (Idem idem = Idem.open("memory:");
                ModelServer model = new ModelServer(said -> said.results() == 0
                        ? Reply.calls("refund_order", Map.of("orderId", "o-7"))
                        : Reply.says("Refunded: " + said.last()))) {
            RefundWithRetry agent = new RefundWithRetry(model.client(), idem, payments);

            assertThat(agent.answer("ticket-1", QUESTION)).isEqualTo("Refunded: re_1");
            assertThat(payments.asked()).hasSize(2);
            assertThat(payments.asked().get(1)).isEqualTo(payments.asked().get(0));

            assertThat(agent.answer("ticket-1", QUESTION))
                    .startsWith("Refunded: re_1")
                    .contains("nothing ran again");
        }
        assertThat(payments.asked()).hasSize(2);
        assertThat(payments.effects()).isEqualTo(1);
    }
}
