package dev.idem.examples.checkout;

import dev.idem.Policy;
import dev.idem.Probe.Verdict;
import dev.idem.RemoteKeys;
import dev.idem.agent.tool.Tool;
import dev.idem.agent.tool.Toolbox;
import java.time.Duration;
import java.util.Map;

/** The tools of the agent. Each tool declares the abilities of its service, which decide how a crash ends. */
final class CheckoutTools {
    private static final RemoteKeys PAYMENTS = new RemoteKeys("payments", Duration.ofHours(24));

    record Charge(String customer, long cents) {}

    record Mail(String to, String subject, String body) {}

    record Order(String customer, String item) {}

    private CheckoutTools() {}

    static Toolbox of(Services services) {
        // The payment service deduplicates by our key: after a crash the request is sent again.
        Tool charge = Tool.named("charge")
                .description("Charges a customer")
                .input(Charge.class)
                .policy(Policy.write().passesKeyTo(PAYMENTS))
                .run((call, in) ->
                        services.post("/charges", Map.of("customer", in.customer(), "cents", in.cents()), call.key()));

        // The mail service knows no keys and can't be asked: after a crash in the middle the mail is in doubt.
        Tool mail = Tool.named("send_email")
                .description("Sends an email")
                .input(Mail.class)
                .identity("to", "subject") // the model may reword the body
                .run((call, in) -> services.post(
                        "/mails", Map.of("to", in.to(), "subject", in.subject(), "body", in.body()), call.key()));

        // Orders can be looked up: after a crash a probe decides, once the interrupted call can no longer act.
        Tool order = Tool.named("create_order")
                .description("Creates an order")
                .input(Order.class)
                .probe((doubted, in) -> {
                    String found = services.get("/orders?customer=" + in.customer());
                    return found.equals("none") ? Verdict.notExecuted() : Verdict.happened(found);
                })
                .policy(Policy.unset().timeLimit(Duration.ofSeconds(1)))
                .run((call, in) ->
                        services.post("/orders", Map.of("customer", in.customer(), "item", in.item()), call.key()));

        return Toolbox.of(charge, mail, order);
    }
}
