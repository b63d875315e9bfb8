package dev.idem.http.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.spi.store.MemoryLedger;
import dev.idem.testkit.EngineCase;
import dev.idem.testkit.LedgerFixture;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Events that share what looks like an id are handled each, and every delivery of one of them is a duplicate. */
class OneIdSeveralEventsTest extends EngineCase {
    private static final SignedCase SHOPIFY = SignedCase.of("Shopify");
    private static final String ORDER = "{\"id\":450789469,\"financial_status\":\"paid\"}";

    @Override
    protected LedgerFixture fixture() {
        return LedgerFixture.of(MemoryLedger::new);
    }

    @Test
    void aShopsOrderThatIsCreatedAndPaidInOneActionWasHandledOnlyOnce() {
        WebhookEndpoint endpoint = shopify();
        WebhookRequest created =
                delivery("Shop-Domain a.example", "Topic orders/create", "Webhook-Id w1", "Event-Id e");
        WebhookRequest paid = delivery("Shop-Domain a.example", "Topic orders/paid", "Webhook-Id w2", "Event-Id e");

        handles(endpoint, created, created, paid, paid);

        assertThat(world.effects("orders/create")).isEqualTo(1);
        assertThat(world.effects("orders/paid")).isEqualTo(1);
    }

    @Test
    void theIdOfADeliveryOfShopifyIsAKey() {
        WebhookEndpoint endpoint = WebhookEndpoint.of(idem(), SHOPIFY.verifier(SHOPIFY.secret()))
                .handle((event, call) ->
                        idem().operation("book").key(event.id()).perform(step -> world.act(event.id())));

        handles(endpoint, delivery("Shop-Domain a.example", "Topic orders/create", "Webhook-Id w1", "Event-Id e"));
        handles(endpoint, delivery("Shop-Domain a.example", "Topic orders/create", "Event-Id e"));

        assertThat(world.effects("a.example|w1")).isEqualTo(1);
        assertThat(world.effects()).isEqualTo(2);
    }

    @Test
    void theNewerNamesOfShopifysHeadersWereRefused() {
        WebhookEndpoint endpoint = shopify();
        Map<String, List<String>> newer = new TreeMap<>();
        newer.put("Shopify-Hmac-Sha256", List.of(SHOPIFY.signature(SHOPIFY.secret(), 0, ORDER.getBytes(UTF_8))));
        newer.put("shopify-shop-domain", List.of("a.example"));
        newer.put("shopify-topic", List.of("Order"));
        newer.put("shopify-event-id", List.of("e"));
        newer.put("Shopify-Webhook-Id", List.of("w1"));
        WebhookRequest first = WebhookRequest.of(newer, ORDER.getBytes(UTF_8));
        newer.put("Shopify-Webhook-Id", List.of("w2"));
        WebhookRequest second = WebhookRequest.of(newer, ORDER.getBytes(UTF_8));

        handles(endpoint, first, first, second, second);

        assertThat(world.effects("Order")).isEqualTo(2);
    }

    @Test
    void deliveriesOfTwoShopsOrTopicsWithoutADeliveryIdWereOneEvent() {
        WebhookEndpoint endpoint = shopify();
        WebhookRequest one = delivery("Shop-Domain a.example", "Topic orders/create", "Event-Id e");
        WebhookRequest otherShop = delivery("Shop-Domain b.example", "Topic orders/create", "Event-Id e");
        WebhookRequest otherTopic = delivery("Shop-Domain a.example", "Topic orders/paid", "Event-Id e");
        WebhookRequest bare = delivery("Topic orders/create");
        WebhookRequest otherBare = delivery("Topic orders/paid");

        handles(endpoint, one, one, otherShop, otherTopic, otherTopic, bare, bare, otherBare);

        assertThat(world.effects("orders/create")).isEqualTo(3);
        assertThat(world.effects("orders/paid")).isEqualTo(2);
    }

    @Test
    void equalFormsThatTwilioPostsToTwoAddressesWereOneEvent() {
        SignedCase twilio = SignedCase.of("Twilio");
        Verifier verifier = Verifier.of(Sender.TWILIO, Signer.TEST_SECRET);
        WebhookEndpoint endpoint = WebhookEndpoint.of(idem(), verifier).handle((event, call) -> world.act("posted"));

        for (String step : List.of("menu", "confirm", "menu", "confirm")) {
            Map<String, String> headers = Signer.of(Sender.TWILIO)
                    .url("https://hooks.example.com/" + step)
                    .sign(twilio.bytes())
                    .headers();
            Map<String, List<String>> lines = Map.of("X-Twilio-Signature", List.of(headers.get("X-Twilio-Signature")));
            handles(endpoint, WebhookRequest.of(lines, twilio.bytes()).at("https://hooks.example.com/" + step));
        }

        assertThat(world.effects("posted")).isEqualTo(2);
    }

    @Test
    void aSeparatorInTheSourceAndOneInTheIdWereTheSame() {
        WebhookEndpoint endpoint = WebhookEndpoint.of(idem(), Verifier.of(Sender.CLOUD_EVENTS))
                .handle((event, call) -> world.act("event"));

        handles(endpoint, cloudEvent("a", "b|c"), cloudEvent("a|b", "c"), cloudEvent("a", "b|c"));

        assertThat(world.effects("event")).isEqualTo(2);
    }

    @Test
    void anEncodedIdInAHeaderAndTheSameIdInTheBodyWereTwoEvents() {
        WebhookEndpoint endpoint = WebhookEndpoint.of(idem(), Verifier.of(Sender.CLOUD_EVENTS))
                .handle((event, call) -> world.act(event.id()));

        handles(
                endpoint,
                cloudEvent("/shop/é", "50% \\\"off\\\" now+"),
                binary("/shop/%C3%A9", "50%25%20%22off%22%20now+"),
                binary("\"/shop/%c3%a9\"", "\"50%25 \\\"off\\\" now+\""),
                Signer.of(Sender.CLOUD_EVENTS).id("idem 100%").sign(new byte[0]).request());

        assertThat(world.effects("/shop/é|50% \"off\" now+")).isEqualTo(1);
        assertThat(world.effects("idem.test|idem 100%")).isEqualTo(1);
        assertThat(world.effects()).isEqualTo(2);
    }

    @Test
    void idsThatAreNotEncodedRightlyStayApart() {
        WebhookEndpoint endpoint = WebhookEndpoint.of(idem(), Verifier.of(Sender.CLOUD_EVENTS))
                .handle((event, call) -> world.act("event"));

        handles(endpoint, binary("a", "%C3"), binary("a", "%C4"), binary("a", "%zz"), binary("a", "%"));

        assertThat(world.effects("event")).isEqualTo(4);
    }

    private static WebhookRequest binary(String source, String id) {
        return WebhookRequest.of(Map.of("ce-source", List.of(source), "Ce-Id", List.of(id)), new byte[0]);
    }

    private static WebhookRequest cloudEvent(String source, String id) {
        byte[] body = ("{\"source\":\"" + source + "\",\"id\":\"" + id + "\"}").getBytes(UTF_8);
        return WebhookRequest.of(Map.of("Content-Type", List.of("application/cloudevents+json")), body);
    }

    private WebhookEndpoint shopify() {
        return WebhookEndpoint.of(idem(), SHOPIFY.verifier(SHOPIFY.secret()))
                .handle((event, call) -> world.act(event.type().orElse("")));
    }

    private static WebhookRequest delivery(String... headers) {
        Map<String, List<String>> lines = new TreeMap<>();
        lines.put("X-Shopify-Hmac-Sha256", List.of(SHOPIFY.signature(SHOPIFY.secret(), 0, ORDER.getBytes(UTF_8))));
        for (String header : headers) {
            String[] parts = header.split(" ", 2);
            lines.put("X-Shopify-" + parts[0], List.of(parts[1]));
        }
        return WebhookRequest.of(lines, ORDER.getBytes(UTF_8));
    }

    private static void handles(WebhookEndpoint endpoint, WebhookRequest... requests) {
        assertThat(requests)
                .allSatisfy(request ->
                        assertThat(endpoint.receive(request).status()).isEqualTo(200));
    }
}
