package dev.idem.http.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.Idem;
import dev.idem.agent.inbox.Pace;
import dev.idem.agent.inbox.Poison;
import dev.idem.spi.browse.Browsable;
import dev.idem.spi.browse.Query;
import dev.idem.spi.store.MemoryLedger;
import dev.idem.testkit.EngineCase;
import dev.idem.testkit.FaultyLedger;
import dev.idem.testkit.LedgerFixture;
import dev.idem.testkit.Race;
import dev.idem.testkit.Until;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** An endpoint that records first answers before it handles, and handles every accepted event once. */
class RecordFirstTest extends EngineCase {
    private static final SignedCase STRIPE = SignedCase.of("Stripe");
    private static final Pace QUICK = Pace.USUAL.waits(Duration.ofMillis(1), Duration.ofMillis(1));

    @Override
    protected LedgerFixture fixture() {
        return LedgerFixture.of(MemoryLedger::new);
    }

    @Test
    void theAnswerDoesNotWaitForTheHandlerAndTheHandlerGetsTheWholeEvent() throws Exception {
        CountDownLatch answered = new CountDownLatch(1);
        try (WebhookEndpoint endpoint = settings(idem()).handle((event, call) -> {
            answered.await();
            world.act(event.id() + " " + event.type().orElseThrow() + " "
                    + event.member("n").orElseThrow() + " " + event.idSigned());
        })) {
            assertThat(endpoint.receive(genuine()).status()).isEqualTo(200);
            assertThat(endpoint.receive(genuine()).status()).isEqualTo(200);
            assertThat(world.effects()).isZero();
            answered.countDown();
            Until.isTrue("handled", () -> world.effects("evt_1 paid 1 true") == 1);
        }
        assertThat(world.effects()).isEqualTo(1);
    }

    @Test
    void theSameDeliveryAHundredTimesAtOnceIsHandledOnceAndAcceptedAHundredTimes() {
        try (WebhookEndpoint endpoint = settings(idem()).handle((event, call) -> world.act(event.id()))) {
            List<WebhookAnswer> answers = Race.of(100, () -> endpoint.receive(genuine()));

            assertThat(answers).hasSize(100).allMatch(WebhookAnswer::accepted);
            Until.isTrue("handled and forgotten", () -> world.effects() == 1 && entries() == 1);
        }
        assertThat(world.effects()).isEqualTo(1);
    }

    @Test
    void anEventIsNotAcceptedWhileItCantBeRecorded() {
        FaultyLedger ledger = new FaultyLedger(ledger());
        try (WebhookEndpoint endpoint =
                settings(idem(ledger, processes().startOwner())).handle((event, call) -> world.act(event.id()))) {
            ledger.down();
            assertThat(endpoint.receive(genuine()).status()).isEqualTo(503);
            ledger.up();
            assertThat(entries()).isZero();
            assertThat(endpoint.receive(genuine()).status()).isEqualTo(200);
            Until.isTrue("handled", () -> world.effects("evt_1") == 1);
        }
    }

    @Test
    void aHandlerThatFailsTwiceAndThenWorksHasOneEffectWithoutAnotherDelivery() {
        try (WebhookEndpoint endpoint = settings(idem()).handle((event, call) -> {
            if (call.attempt() < 3) {
                throw new IOException("not now");
            }
            world.act(event.id());
        })) {
            endpoint.receive(genuine());
            passUntil("handled", () -> world.effects("evt_1") == 1);
        }
    }

    @Test
    void poisonIsListedAndSentAgainByThisOrAnotherProcess() {
        AtomicBoolean works = new AtomicBoolean();
        try (WebhookEndpoint endpoint = settings(idem()).poisonAfter(2).handle((event, call) -> {
            world.act("tried");
            if (!works.get()) {
                throw new IOException("can't parse it");
            }
            world.act(event.id());
        })) {
            endpoint.receive(genuine());
            passUntil("given up", () -> endpoint.poisoned().size() == 1 && entries() == 1);
            assertThat(world.effects("tried")).isEqualTo(2);
            assertThat(endpoint.receive(genuine()).status()).isEqualTo(200);

            Poison other = Poison.of(idem());
            Until.isTrue("sent again", () -> other.again("stripe", "evt_1"));
            endpoint.receive(genuine());
            passUntil("given up again", () -> endpoint.poisoned().size() == 1 && world.effects("tried") == 4);
            works.set(true);
            Until.isTrue("sent again", () -> endpoint.again("evt_1"));
            Until.isTrue("handled", () -> world.effects("evt_1") == 1);
            assertThat(endpoint.poisoned()).isEmpty();
        }
    }

    @Test
    void anEndpointThatHandlesFirstRunsEventsThatAreSentAgain() {
        AtomicBoolean works = new AtomicBoolean();
        try (WebhookEndpoint endpoint = WebhookEndpoint.of(idem(), STRIPE.verifier(STRIPE.secret()))
                .poisonAfter(2)
                .handle((event, call) -> {
                    if (!works.get()) {
                        throw new IOException("can't parse it");
                    }
                    world.act(event.id());
                })) {
            List<Integer> statuses = IntStream.range(0, 4)
                    .mapToObj(i -> endpoint.receive(genuine()).status())
                    .toList();
            assertThat(statuses).containsExactly(500, 200, 200, 200);
            works.set(true);
            assertThat(endpoint.receive(genuine()).status()).isEqualTo(200);
            assertThat(world.effects("evt_1")).isZero();

            assertThat(endpoint.again("evt_1")).isTrue();
            Until.isTrue("handled", () -> world.effects("evt_1") == 1);
        }
    }

    @Test
    void aClosedEndpointAcceptsNothing() {
        WebhookEndpoint endpoint = settings(idem()).handle((event, call) -> world.act(event.id()));
        endpoint.close();

        assertThat(endpoint.receive(genuine()).status()).isEqualTo(503);
        assertThat(entries()).isZero();
    }

    @Test
    void anEventThatTheLedgerCantStoreIsRefusedAndNotLostAfterTheAnswer() {
        Idem small = open(builder(ledger(), processes().startOwner()).largestResult(10));
        try (WebhookEndpoint endpoint = settings(small).handle((event, call) -> world.act(event.id()))) {
            assertThat(endpoint.receive(genuine()).status()).isEqualTo(413);
            assertThat(entries()).isZero();
        }
    }

    @Test
    void aHandlerCantDecideAnAnswerThatWasSentBeforeItRan() {
        WebhookEndpointBuilder settings = settings(idem());

        assertThatThrownBy(() -> settings.respond((event, call) -> WebhookAnswer.ok("text/plain", "late")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("use handle(...)");
    }

    private static WebhookEndpointBuilder settings(Idem idem) {
        return WebhookEndpoint.of(idem, STRIPE.verifier(STRIPE.secret()))
                .recordFirst()
                .pace(QUICK);
    }

    /** The clock of the ledger stands still by itself. */
    private void passUntil(String what, BooleanSupplier condition) {
        Until.isTrue(what, () -> {
            pass(Duration.ofMillis(1));
            return condition.getAsBoolean();
        });
    }

    private int entries() {
        return ledger().as(Browsable.class)
                .orElseThrow()
                .browse(Query.all())
                .entries()
                .size();
    }

    private static WebhookRequest genuine() {
        return SignedCase.request(STRIPE.headers(), STRIPE.bytes());
    }
}
