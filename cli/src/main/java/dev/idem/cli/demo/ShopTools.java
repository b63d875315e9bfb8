package dev.idem.cli.demo;

import dev.idem.Idem;
import dev.idem.NotExecutedException;
import dev.idem.Policy;
import dev.idem.Probe;
import dev.idem.agent.retry.Retry;
import dev.idem.agent.session.Session;
import dev.idem.agent.tool.Tool;
import dev.idem.agent.tool.Toolbox;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The tools of a shop's agent. They do nothing but take time, and end as was planned for their next call. */
final class ShopTools {
    /** What the console tells about them. */
    static final String OPERATIONS = """
            {"charge": {"title": "Charge", "amount": "cents", "currency": "USD",
                        "link": "https://dashboard.stripe.com/search?query={key}"},
             "refund": {"title": "Refund", "amount": "cents", "currency": "USD",
                        "link": "https://dashboard.stripe.com/search?query={label:customer}"},
             "create_order": {"title": "Create order"},
             "reserve_stock": {"title": "Reserve stock"},
             "send_email": {"title": "Send e-mail", "link": "https://mail.example.com/sent?to={label:to}"},
             "build_report": {"title": "Build report"},
             "delete_customer": {"title": "Delete customer"}}
            """;

    /** Lets the time of a call pass. */
    @FunctionalInterface
    interface Pace {
        void pass(Duration time) throws InterruptedException;
    }

    private final Pace pace;
    private final Toolbox tools;
    private @Nullable Exception planned;

    ShopTools(Pace pace) {
        this.pace = pace;
        this.tools = Toolbox.of(
                writes("charge", 900, "customer", "cents"),
                writes("create_order", 350, "customer", "item"),
                writes("reserve_stock", 500, "item"),
                writes("send_email", 250, "to", "template"),
                Tool.named("refund")
                        .identity("customer", "cents")
                        .labels("customer", "cents")
                        .probe((doubted, in) -> Probe.Verdict.unknown())
                        .run((call, in) -> act("refund", 700)),
                Tool.named("build_report")
                        .identity("month")
                        .labels("month")
                        .policy(Policy.idempotent().timeLimit(Duration.ofMinutes(10)))
                        .run((call, in) -> act("build_report", 45_000)),
                Tool.named("delete_customer")
                        .identity("customer")
                        .labels("customer")
                        .policy(Policy.destructive().approval())
                        .run((call, in) -> act("delete_customer", 200)));
    }

    private Tool writes(String name, long millis, String... identity) {
        return Tool.named(name).identity(identity).labels(identity).run((call, in) -> act(name, millis));
    }

    private Map<String, Object> act(String name, long millis) throws Exception {
        pace.pass(Duration.ofMillis(millis));
        Exception end = planned;
        planned = null;
        if (end != null) {
            throw end;
        }
        return Map.of("tool", name, "ok", true);
    }

    /** Ends the next call that runs with this exception. */
    void fails(Exception end) {
        planned = end;
    }

    /** Ends the next call that runs with a failure that had no effect. */
    void refuses(String why) {
        fails(new NotExecutedException(why));
    }

    Session session(Idem idem, String id, InstantSource clock) {
        return Session.builder(idem)
                .id(id)
                .tools(tools)
                .withoutLoopGuard()
                // A refusal that was planned is to be seen, not tried again.
                .retry(Retry.none())
                .clock(clock)
                .open();
    }

    /** An order of a customer: the arguments of the tools that serve it. */
    record Order(int number, String item, int cents) {
        String session() {
            return "order-" + number;
        }

        String customer() {
            return "cus_" + (number * 37 % 900 + 100);
        }

        Map<String, ?> charge() {
            return Map.of("customer", customer(), "cents", cents);
        }

        Map<String, ?> order() {
            return Map.of("customer", customer(), "item", item);
        }

        Map<String, ?> stock() {
            return Map.of("item", item);
        }

        Map<String, ?> email(String template) {
            return Map.of("to", customer() + "@example.com", "template", template);
        }

        static Order of(int number) {
            String[] items = {"green tea", "tea pot", "cup", "honey", "strainer"};
            return new Order(number, items[number % items.length], 1200 + number * 731 % 9000);
        }
    }
}
