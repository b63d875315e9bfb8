package dev.idem.http.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.Address;
import dev.idem.Idem;
import dev.idem.NotExecutedException;
import dev.idem.OnDoubt;
import dev.idem.Policy;
import dev.idem.State;
import dev.idem.spi.browse.Browsable;
import dev.idem.spi.browse.Query;
import dev.idem.spi.store.MemoryLedger;
import dev.idem.testkit.EngineCase;
import dev.idem.testkit.FaultyLedger;
import dev.idem.testkit.LedgerFixture;
import dev.idem.testkit.Race;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** An endpoint handles each event once before it answers, and its answer makes the sender do the right thing. */
class WebhookEndpointTest extends EngineCase {
    private static final SignedCase STRIPE = SignedCase.of("Stripe");
    private static final SignedCase SENDGRID = SignedCase.of("SendGrid");

    @Override
    protected LedgerFixture fixture() {
        return LedgerFixture.of(MemoryLedger::new);
    }

    static List<SignedCase> senders() {
        return SignedCase.all();
    }

    @ParameterizedTest
    @MethodSource("senders")
    void anEventOfEverySenderIsHandledOnceAndADuplicateGetsTheFirstOutcome(SignedCase sender) {
        WebhookEndpoint endpoint = WebhookEndpoint.of(idem(), sender.verifier(sender.secret()))
                .respond((event, call) -> WebhookAnswer.ok("text/xml", world.act(event.id())));

        WebhookAnswer first = endpoint.receive(genuine(sender));
        WebhookAnswer second = endpoint.receive(genuine(sender));

        assertThat(first.status()).isEqualTo(200);
        assertThat(first.body()).endsWith("#1");
        assertThat(second).isEqualTo(first);
        assertThat(world.effects()).isEqualTo(1);
    }

    @Test
    void aForgedRequestIsRefusedAndNothingIsRecorded() {
        WebhookEndpoint endpoint = counting(STRIPE, idem());
        Map<String, List<String>> headers = new HashMap<>(STRIPE.headers());
        headers.put(
                "Stripe-Signature", List.of(STRIPE.signature(STRIPE.otherSecret(), SignedCase.NOW, STRIPE.bytes())));

        WebhookAnswer forged = endpoint.receive(WebhookRequest.of(headers, STRIPE.bytes()));
        WebhookAnswer unsigned = endpoint.receive(WebhookRequest.of(Map.of(), STRIPE.bytes()));
        WebhookAnswer huge =
                endpoint.receive(WebhookRequest.of(Map.of("Stripe-Signature", List.of("x".repeat(9000))), new byte[0]));
        WebhookAnswer large =
                endpoint.receive(WebhookRequest.of(STRIPE.headers(), new byte[endpoint.largestBody() + 1]));

        assertThat(List.of(forged, unsigned, huge, large))
                .extracting(WebhookAnswer::status)
                .containsExactly(401, 401, 431, 413);
        assertThat(forged.body()).contains("fits no secret").doesNotContain(STRIPE.secret());
        assertThat(world.effects()).isZero();
        assertThat(entries()).isZero();
    }

    @Test
    void slacksHandshakeIsAnsweredAndNothingIsRecorded() {
        SignedCase slack = SignedCase.of("Slack");
        byte[] body = "{\"type\":\"url_verification\",\"challenge\":\"3eZbrw1a\"}".getBytes(UTF_8);

        WebhookAnswer answer = counting(slack, idem())
                .receive(WebhookRequest.of(slack.headers(slack.secret(), SignedCase.NOW, body), body));

        assertThat(answer).isEqualTo(WebhookAnswer.ok("text/plain", "3eZbrw1a"));
        assertThat(entries()).isZero();
    }

    @Test
    void theSameDeliveryAHundredTimesAtOnceIsHandledOnceAndAcceptedAHundredTimes() {
        Idem one = idem();
        WebhookEndpoint endpoint = counting(STRIPE, one);

        List<WebhookAnswer> answers = Race.of(100, () -> endpoint.receive(genuine(STRIPE)));

        assertThat(answers).hasSize(100).allMatch(WebhookAnswer::accepted);
        assertThat(world.effects()).isEqualTo(1);
    }

    @Test
    void aHandlerThatFailsTwiceAndThenWorksHasOneEffect() {
        List<Integer> attempts = new ArrayList<>();
        WebhookEndpoint endpoint = WebhookEndpoint.of(idem(), STRIPE.verifier(STRIPE.secret()))
                .handle((event, call) -> {
                    attempts.add(call.attempt());
                    if (call.attempt() < 3) {
                        throw new IOException("password=hunter2");
                    }
                    world.act(event.id());
                });

        List<WebhookAnswer> answers = IntStream.range(0, 4)
                .mapToObj(i -> endpoint.receive(genuine(STRIPE)))
                .toList();

        assertThat(answers).extracting(WebhookAnswer::status).containsExactly(500, 500, 200, 200);
        assertThat(answers.get(0).body()).doesNotContain("hunter2");
        assertThat(attempts).containsExactly(1, 2, 3);
        assertThat(world.effects("evt_1")).isEqualTo(1);
    }

    @Test
    void theGoodEventsOfAnArrayAreDoneAndTheBadOneComesAgainAlone() {
        List<String> broken = new ArrayList<>(List.of("b"));
        WebhookEndpoint endpoint = WebhookEndpoint.of(idem(), SENDGRID.verifier(SENDGRID.secret()))
                .handle((event, call) -> {
                    world.act("tried " + event.id());
                    if (broken.remove(event.id())) {
                        throw new NotExecutedException("not now");
                    }
                    world.act(event.id());
                });
        WebhookRequest request = array(List.of("a", "b", "c"));

        assertThat(endpoint.receive(request).status()).isEqualTo(500);
        assertThat(world.effects("a") + world.effects("c")).isEqualTo(2);
        assertThat(endpoint.receive(request).status()).isEqualTo(200);

        assertThat(List.of("a", "b", "c")).allMatch(id -> world.effects(id) == 1);
        assertThat(world.effects("tried a")).isEqualTo(1);
        assertThat(world.effects("tried b")).isEqualTo(2);
        assertThat(world.effects("tried c")).isEqualTo(1);
    }

    @Test
    void anArrayOfTenThousandEventsIsHandled() {
        WebhookEndpoint endpoint = counting(SENDGRID, idem());
        List<String> ids = IntStream.range(0, 10_000).mapToObj(i -> "e" + i).toList();

        assertThat(endpoint.receive(array(ids)).status()).isEqualTo(200);

        assertThat(world.effects()).isEqualTo(10_000);
        assertThat(world.repeated()).isEmpty();
    }

    @Test
    void anUnreachableLedgerIsAnsweredWith503AndNothingRan() {
        FaultyLedger ledger = new FaultyLedger(ledger()).down();
        WebhookEndpoint endpoint = counting(STRIPE, idem(ledger, processes().startOwner()));

        WebhookAnswer answer = endpoint.receive(genuine(STRIPE));

        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.retryAfter()).isEqualTo(Duration.ofSeconds(5));
        assertThat(world.effects()).isZero();
        ledger.up();
        assertThat(endpoint.receive(genuine(STRIPE)).status()).isEqualTo(200);
    }

    @Test
    void aLedgerThatIsLostInTheMiddleOfAnArrayIsNotAnsweredAsIfNothingRan() {
        FaultyLedger ledger = new FaultyLedger(ledger());
        WebhookEndpoint endpoint = counting(SENDGRID, idem(ledger, processes().startOwner()));
        ledger.at(FaultyLedger.Point.AFTER_SETTLE, ledger::down);

        WebhookAnswer answer = endpoint.receive(array(List.of("a", "b")));

        assertThat(answer.status()).isEqualTo(503);
        assertThat(world.effects()).isEqualTo(1);
        assertThat(answer.body()).contains("may have been handled").doesNotContain("Nothing ran");
    }

    @Test
    @SuppressWarnings("NullAway") // a handler in code without annotations may return null
    void aHandlerThatReturnsNullIsAnsweredWith200() {
        WebhookEndpoint endpoint = WebhookEndpoint.of(idem(), STRIPE.verifier(STRIPE.secret()))
                .respond((event, call) -> {
                    world.act(event.id());
                    return null;
                });

        assertThat(endpoint.receive(genuine(STRIPE)).status()).isEqualTo(200);
        assertThat(endpoint.receive(genuine(STRIPE)).status()).isEqualTo(200);
        assertThat(world.effects()).isEqualTo(1);
    }

    @Test
    void anAnswerOfTheHandlerThatAsksForAnotherDeliveryWasRecordedAndAnsweredThatToo() {
        WebhookEndpoint endpoint = WebhookEndpoint.of(idem(), STRIPE.verifier(STRIPE.secret()))
                .respond((event, call) -> {
                    if (call.attempt() == 1) {
                        return new WebhookAnswer(503, "text/plain", "not now", Duration.ofSeconds(9));
                    }
                    return WebhookAnswer.ok("text/plain", world.act(event.id()));
                });

        WebhookAnswer first = endpoint.receive(genuine(STRIPE));
        assertThat(first).isEqualTo(new WebhookAnswer(503, "text/plain", "not now", Duration.ofSeconds(9)));
        assertThat(entry(new Address("inbox:stripe", "inbox_event", "evt_1")).state())
                .isNotEqualTo(State.COMPLETE);
        assertThat(endpoint.receive(genuine(STRIPE)).status()).isEqualTo(200);
        assertThat(endpoint.receive(genuine(STRIPE)).status()).isEqualTo(200);
        assertThat(world.effects("evt_1")).isEqualTo(1);
    }

    @Test
    void anEventThatIsAlwaysAnsweredWithAnErrorWasNeverGivenUp() {
        try (WebhookEndpoint endpoint = WebhookEndpoint.of(idem(), STRIPE.verifier(STRIPE.secret()))
                .poisonAfter(2)
                .respond((event, call) -> new WebhookAnswer(500, "text/plain", "", null))) {
            List<Integer> statuses = IntStream.range(0, 3)
                    .mapToObj(i -> endpoint.receive(genuine(STRIPE)).status())
                    .toList();

            assertThat(statuses).containsExactly(500, 200, 200);
            assertThat(endpoint.poisoned()).hasSize(1);
        }
    }

    @Test
    void anEventWasForgottenWhileItsRequestWasStillValid() {
        WebhookEndpointBuilder settings = WebhookEndpoint.of(
                idem(), STRIPE.verifier(STRIPE.secret()).tolerance(Duration.ofMinutes(10), Duration.ofMinutes(5)));
        Policy brief = Policy.unset().retention(Duration.ofMinutes(14));

        assertThatThrownBy(() -> settings.policy(brief).handle((event, call) -> {}))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("PT14M")
                .hasMessageContaining("PT15M");
        settings.policy(brief.tombstone(Duration.ofMinutes(1))).handle((event, call) -> {});
        settings.policy(Policy.unset().retention(Duration.ofMinutes(15))).handle((event, call) -> {});
    }

    @Test
    void anEventThatAPersonResolvedWithoutAnAnswerIsAnsweredWith200() {
        Idem idem = idem();
        WebhookEndpoint endpoint = WebhookEndpoint.of(idem, STRIPE.verifier(STRIPE.secret()))
                .policy(Policy.unset().onDoubt(OnDoubt.HALT))
                .handle((event, call) -> {
                    throw new IOException("response lost");
                });
        endpoint.receive(genuine(STRIPE));
        idem.resolve(entry(new Address("inbox:stripe", "inbox_event", "evt_1"))).asComplete(null);

        assertThat(endpoint.receive(genuine(STRIPE)).status()).isEqualTo(200);
    }

    @Test
    void aDuplicateOfAnEventThatIsBeingHandledElsewhereIsToldToComeAgain() {
        Idem other = idem();
        List<WebhookAnswer> meanwhile = new ArrayList<>();
        WebhookEndpoint impatient = WebhookEndpoint.of(other, STRIPE.verifier(STRIPE.secret()))
                .policy(Policy.unset().waitFor(Duration.ZERO))
                .handle((event, call) -> world.act(event.id()));
        WebhookEndpoint busy = WebhookEndpoint.of(idem(), STRIPE.verifier(STRIPE.secret()))
                .handle((event, call) -> meanwhile.add(impatient.receive(genuine(STRIPE))));

        assertThat(busy.receive(genuine(STRIPE)).status()).isEqualTo(200);

        assertThat(meanwhile).singleElement().satisfies(answer -> {
            assertThat(answer.status()).isEqualTo(503);
            assertThat(answer.retryAfter()).isNotNull();
        });
        assertThat(impatient.receive(genuine(STRIPE)).status()).isEqualTo(200);
        assertThat(world.effects()).isZero();
    }

    @Test
    void anEventInDoubtIsNotAcceptedSoThatTheSenderStillHasItWhenAPersonHasDecided() {
        WebhookEndpoint endpoint = WebhookEndpoint.of(idem(), STRIPE.verifier(STRIPE.secret()))
                .policy(Policy.unset().onDoubt(OnDoubt.HALT))
                .handle((event, call) -> {
                    world.act(event.id());
                    throw new IOException("response lost");
                });
        endpoint.receive(genuine(STRIPE));

        assertThat(endpoint.receive(genuine(STRIPE)).status()).isEqualTo(503);
        assertThat(world.effects()).isEqualTo(1);
        assertThat(entry(new Address("inbox:stripe", "inbox_event", "evt_1")).state())
                .isEqualTo(State.IN_DOUBT);
    }

    @Test
    void anEventWithoutATimeIsRefusedAsADuplicateForAYearAfterItsRetention() {
        SignedCase github = SignedCase.of("GitHub");
        WebhookEndpoint endpoint = counting(github, idem());
        endpoint.receive(genuine(github));
        WebhookEndpoint stripe = counting(STRIPE, idem());
        stripe.receive(genuine(STRIPE));
        pass(Duration.ofDays(8 + 360));

        assertThat(endpoint.receive(genuine(github)).status()).isEqualTo(200);
        assertThat(world.effects("evt_1")).isEqualTo(2);
        assertThat(stripe.receive(genuine(STRIPE)).status()).isEqualTo(200);
        assertThat(world.effects("evt_1")).as("Stripe signs the time").isEqualTo(3);
    }

    @Test
    void twoEndpointsOfOneSenderMayHaveSourcesOfTheirOwn() {
        Idem idem = idem();
        WebhookEndpointBuilder settings = WebhookEndpoint.of(idem, STRIPE.verifier(STRIPE.secret()));
        settings.handle((event, call) -> world.act("us")).receive(genuine(STRIPE));
        settings.source("stripe-eu").handle((event, call) -> world.act("eu")).receive(genuine(STRIPE));

        assertThat(List.of("us", "eu")).allMatch(endpoint -> world.effects(endpoint) == 1);
        assertThat(entry(new Address("inbox:stripe-eu", "inbox_event", "evt_1")).state())
                .isEqualTo(State.COMPLETE);
    }

    @Test
    void aFunctionForIdsThatThrowsIsAnsweredAndNothingIsRecorded() {
        WebhookEndpoint endpoint = WebhookEndpoint.of(
                        idem(),
                        STRIPE.verifier(STRIPE.secret())
                                .idFrom(event -> event.member("data.id").orElseThrow()))
                .handle((event, call) -> world.act(event.id()));

        assertThat(endpoint.receive(genuine(STRIPE)).status()).isEqualTo(500);
        assertThat(entries()).isZero();
    }

    private WebhookEndpoint counting(SignedCase sender, Idem idem) {
        return WebhookEndpoint.of(idem, sender.verifier(sender.secret()))
                .handle((event, call) -> world.act(event.id()));
    }

    private int entries() {
        return ledger().as(Browsable.class)
                .orElseThrow()
                .browse(Query.all())
                .entries()
                .size();
    }

    private static WebhookRequest genuine(SignedCase sender) {
        return SignedCase.request(sender.headers(), sender.bytes());
    }

    private static WebhookRequest array(List<String> ids) {
        byte[] body = ids.stream()
                .map(id -> "{\"sg_event_id\":\"" + id + "\"}")
                .collect(Collectors.joining(",", "[", "]\r\n"))
                .getBytes(UTF_8);
        return WebhookRequest.of(SENDGRID.headers(SENDGRID.secret(), SignedCase.NOW, body), body);
    }
}
