package dev.idem.examples.agents;

import com.openai.client.OpenAIClient;
import com.openai.models.chat.completions.ChatCompletionCreateParams;
import dev.idem.Idem;
import dev.idem.Policy;
import dev.idem.RemoteKeys;
import dev.idem.agent.retry.Failures;
import dev.idem.agent.retry.Retry;
import dev.idem.agent.session.Session;
import dev.idem.agent.tool.Tool;
import dev.idem.openai.ToolLoop;
import java.time.Duration;

/**
 * A refund whose response may get lost. The payment service detects duplicates by the key, so Idem sends the same key
 * again: one refund, and no person is needed.
 */
public final class RefundWithRetry {
    private static final RemoteKeys PAYMENTS = new RemoteKeys("payments", Duration.ofHours(24));

    private final OpenAIClient model;
    private final Idem idem;
    private final Tool refundOrder;

    /** The arguments that the model gives. */
    record Refund(String orderId) {}

    /** An agent that may refund. The client of the payment service must not try again by itself. */
    public RefundWithRetry(OpenAIClient model, Idem idem, Payments payments) {
        this.model = model;
        this.idem = idem;
        this.refundOrder = Tool.named("refund_order")
                .description("Refunds an order")
                .input(Refund.class)
                // Without passesKeyTo a lost response is in doubt, and not tried again.
                .policy(Policy.write().passesKeyTo(PAYMENTS).classify(Failures.http()))
                .retry(Retry.standard().maxAttempts(3).baseDelay(Duration.ofMillis(50)))
                .run((call, in) -> payments.refund(in.orderId(), call.key()));
    }

    /** Answers a ticket of the support; the same ticket again is answered without another refund. */
    public String answer(String ticket, String question) {
        try (Session session = Session.of(idem, ticket, refundOrder)) {
            return Words.of(ToolLoop.of(model, session)
                    .run(ChatCompletionCreateParams.builder()
                            .model("gpt-5")
                            .addUserMessage(question)
                            .build()));
        }
    }
}
