package dev.idem.examples.checkout;

import com.anthropic.client.AnthropicClient;
import com.anthropic.client.okhttp.AnthropicOkHttpClient;
import com.anthropic.models.messages.Message;
import com.anthropic.models.messages.MessageCreateParams;
import dev.idem.Idem;
import dev.idem.agent.session.Session;
import dev.idem.anthropic.ToolLoop;

/**
 * The checkout agent. It keeps only the ledger: after a kill and a restart with the same session, it asks the model
 * again, and the finished calls replay.
 */
public final class CheckoutAgent {
    private final AnthropicClient client;
    private final Session session;

    CheckoutAgent(AnthropicClient client, Session session) {
        this.client = client;
        this.session = session;
    }

    /** Checks out the customer's basket, or continues an earlier run; returns the model's last answer. */
    String run(String customer) {
        Message last = ToolLoop.of(client, session)
                .run(MessageCreateParams.builder()
                        .model("claude-sonnet-4-6")
                        .maxTokens(1024)
                        .addUserMessage("Check out the basket of " + customer)
                        .build());
        return last.content().get(0).asText().text();
    }

    /** Arguments: the ledger's URL, where the model and all services are, the session, the customer. */
    public static void main(String[] args) {
        AnthropicClient client = AnthropicOkHttpClient.builder()
                .baseUrl(args[1])
                .apiKey("none")
                .maxRetries(0)
                .build();
        try (Idem idem = Idem.open(args[0]);
                Session session = Session.of(idem, args[2], CheckoutTools.of(new Remote(args[1])))) {
            System.out.println(new CheckoutAgent(client, session).run(args[3]));
            System.out.println(session.report());
        } finally {
            client.close();
        }
    }
}
