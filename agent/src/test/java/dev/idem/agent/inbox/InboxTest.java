package dev.idem.agent.inbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.Address;
import dev.idem.Call;
import dev.idem.Idem;
import dev.idem.Key;
import dev.idem.NotExecutedException;
import dev.idem.OnDoubt;
import dev.idem.Policy;
import dev.idem.State;
import dev.idem.Warning;
import dev.idem.spi.Owner;
import dev.idem.spi.browse.Browsable;
import dev.idem.spi.browse.Query;
import dev.idem.spi.store.MemoryLedger;
import dev.idem.testkit.EngineCase;
import dev.idem.testkit.FaultyLedger;
import dev.idem.testkit.FaultyLedger.Point;
import dev.idem.testkit.Halted;
import dev.idem.testkit.LedgerFixture;
import dev.idem.testkit.Race;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Events that are delivered at least once are handled once, and none is lost. */
class InboxTest extends EngineCase {
    private static final Event PAID = Event.of("evt_1", "{\"type\": \"paid\", \"cents\": 4200}");

    private final List<DeadLetter> deadLetters = new ArrayList<>();

    @Override
    protected LedgerFixture fixture() {
        return LedgerFixture.of(MemoryLedger::new);
    }

    @Test
    void aDuplicateGetsWhatTheFirstDeliveryGave() {
        Delivery<String> first = stripe(idem()).receive(PAID, this::handle);
        Delivery<String> second = stripe(idem()).receive(PAID, this::handle);

        assertThat(first)
                .isInstanceOfSatisfying(
                        Delivery.Handled.class,
                        handled -> assertThat(handled.value()).isEqualTo("evt_1 #1"));
        assertThat(second)
                .isInstanceOfSatisfying(
                        Delivery.Duplicate.class,
                        duplicate -> assertThat(duplicate.value()).isEqualTo("evt_1 #1"));
        assertThat(first.acknowledge()).isTrue();
        assertThat(second.acknowledge()).isTrue();
        assertThat(world.effects("evt_1")).isEqualTo(1);
    }

    @Test
    void deliveriesAtTheSameTimeAreHandledOnce() {
        Idem one = idem();
        Idem other = idem();

        List<Delivery<String>> deliveries = Race.between(List.of(
                () -> stripe(one).receive(PAID, this::handle),
                () -> stripe(one).receive(PAID, this::handle),
                () -> stripe(other).receive(PAID, this::handle),
                () -> stripe(other).receive(PAID, this::handle)));

        assertThat(deliveries).allMatch(Delivery::acknowledge);
        assertThat(deliveries).filteredOn(Delivery.Handled.class::isInstance).hasSize(1);
        assertThat(world.effects("evt_1")).isEqualTo(1);
    }

    @Test
    void twoSourcesMayUseTheSameIds() {
        Idem idem = idem();
        stripe(idem).receive(PAID, this::handle);
        Delivery<String> other =
                Inbox.of(idem, "shopify").returning(String.class).receive(PAID, this::handle);

        assertThat(other).isInstanceOf(Delivery.Handled.class);
        assertThat(entry(new Address("inbox:shopify", "inbox_event", "evt_1")).state())
                .isEqualTo(State.COMPLETE);
    }

    @Test
    void anEventWithoutAnIdIsKnownByWhatItsBodySays() {
        Inbox<String> inbox = stripe(idem());
        Handler<String> handler = (event, call) -> world.act("handled");

        inbox.receive(Event.ofBody("{\"a\": 1, \"b\": [true]}"), handler);
        Delivery<String> reordered = inbox.receive(Event.ofBody("{\"b\":[true],\"a\":1}"), handler);
        Delivery<String> another = inbox.receive(Event.ofBody("{\"b\":[true],\"a\":2}"), handler);
        inbox.receive(Event.ofBody("plain text"), handler);
        Delivery<String> plainAgain = inbox.receive(Event.ofBody("plain text"), handler);

        assertThat(reordered).isInstanceOf(Delivery.Duplicate.class);
        assertThat(another).isInstanceOf(Delivery.Handled.class);
        assertThat(plainAgain).isInstanceOf(Delivery.Duplicate.class);
        assertThat(world.effects("handled")).isEqualTo(3);
    }

    @Test
    void anEventWhoseIdIsNoKeyIsFoundAgainByItsLabel() {
        stripe(idem()).receive(Event.of("Zahlung für Ann", "{}"), this::handle);

        assertThat(ledger().as(Browsable.class)
                        .orElseThrow()
                        .browse(Query.all())
                        .entries())
                .singleElement()
                .satisfies(entry -> assertThat(entry.labels()).containsEntry("id", "Zahlung für Ann"));
    }

    @Test
    void anIdThatLooksLikeTheKeyOfAnotherEventIsNoDuplicateOfIt() {
        Inbox<String> inbox = stripe(idem());
        inbox.receive(Event.of("Zahlung für Ann", "{}"), this::handle);
        Handler<String> handler = (event, call) -> world.act("handled");
        inbox.receive(Event.ofBody("{\"a\":1}"), handler);
        String keyOfTheBody = ledger().as(Browsable.class).orElseThrow().browse(Query.all()).entries().stream()
                .map(entry -> entry.address().key())
                .filter(key -> key.startsWith("idem_"))
                .findFirst()
                .orElseThrow();

        assertThat(inbox.receive(Event.of(Key.ofId("Zahlung für Ann").value(), "{}"), this::handle))
                .isInstanceOf(Delivery.Handled.class);
        assertThat(inbox.receive(Event.of(keyOfTheBody, "{\"a\":1}"), handler)).isInstanceOf(Delivery.Conflict.class);
    }

    @Test
    void idsThatAreNoKeysAreNeverCut() {
        String longId = "e".repeat(300);
        Inbox<String> inbox = stripe(idem());

        assertThat(inbox.receive(Event.of(longId + 1, ""), this::handle)).isInstanceOf(Delivery.Handled.class);
        assertThat(inbox.receive(Event.of(longId + 2, ""), this::handle)).isInstanceOf(Delivery.Handled.class);
        assertThat(inbox.receive(Event.of(longId + 2, ""), this::handle)).isInstanceOf(Delivery.Duplicate.class);
    }

    @Test
    void theSameIdWithAnotherBodyIsADuplicateWithAWarning() {
        Inbox<String> inbox = stripe(idem());
        inbox.receive(PAID, this::handle);

        Delivery<String> reworded = inbox.receive(Event.of("evt_1", "{\"type\": \"refunded\"}"), this::handle);

        assertThat(reworded).isInstanceOf(Delivery.Duplicate.class);
        assertThat(((Delivery.Duplicate<String>) reworded).warnings())
                .extracting(Warning::code)
                .containsExactly(Warning.Code.REWORDED);
    }

    @Test
    void aHandlerThatFailsHasItsEventDeliveredAgain() {
        Inbox<String> inbox = stripe(idem());
        Delivery<String> first = inbox.receive(PAID, (event, call) -> {
            throw new IOException("the database is away");
        });
        Delivery<String> second = inbox.receive(PAID, this::handle);

        assertThat(first).isInstanceOf(Delivery.Failed.class);
        assertThat(first.acknowledge()).isFalse();
        assertThat(first.reason()).contains("the database is away");
        assertThat(second)
                .isInstanceOfSatisfying(
                        Delivery.Handled.class,
                        handled -> assertThat(handled.attempt()).isEqualTo(2));
    }

    @Test
    void aHandlerWhoseProcessDiesHasItsEventDeliveredAgain() {
        Owner dying = processes().startOwner();
        FaultyLedger faulty =
                new FaultyLedger(ledger()).onHalt(() -> processes().kill(dying));
        faulty.halt(Point.BEFORE_SETTLE);
        assertThatThrownBy(() -> stripe(idem(faulty, dying)).receive(PAID, (event, call) -> "lost"))
                .isInstanceOf(Halted.class);

        assertThat(stripe(idem()).receive(PAID, this::handle)).isInstanceOf(Delivery.Handled.class);
    }

    @Test
    void aHaltingHandlerIsNotRunAgainUnlessNothingHappened() {
        Inbox<String> inbox = stripe(idem()).policy(Policy.unset().onDoubt(OnDoubt.PROBE));
        inbox.receive(Event.of("definite", ""), (event, call) -> {
            throw new NotExecutedException("refused");
        });
        inbox.receive(PAID, (event, call) -> {
            world.act("evt_1");
            throw new IOException("response lost");
        });

        assertThat(inbox.receive(Event.of("definite", ""), this::handle)).isInstanceOf(Delivery.Handled.class);
        Delivery<String> doubted = inbox.receive(PAID, this::handle);
        assertThat(doubted).isInstanceOf(Delivery.InDoubt.class);
        assertThat(doubted.acknowledge()).isFalse();
        assertThat(world.effects("evt_1")).isEqualTo(1);
    }

    @Test
    void aDuplicateInFlightElsewhereIsToldToComeAgain() {
        Idem busy = idem();
        Idem other = idem();

        stripe(busy).receive(PAID, (event, call) -> {
            Delivery<String> meanwhile =
                    stripe(other).policy(Policy.unset().waitFor(Duration.ZERO)).receive(PAID, this::handle);
            assertThat(meanwhile).isInstanceOf(Delivery.InFlight.class);
            assertThat(meanwhile.acknowledge()).isFalse();
            return "done";
        });
        assertThat(world.effects("evt_1")).isZero();
    }

    @Test
    void poisonIsGivenUpOnceAndEveryLaterDeliveryIsToldSo() {
        Inbox<String> inbox = stripe(idem()).poisonAfter(3, deadLetters::add);

        List<Delivery<String>> deliveries = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            deliveries.add(inbox.receive(PAID, (event, call) -> {
                world.act("tried");
                throw new IOException("can't parse it");
            }));
        }

        assertThat(deliveries.subList(0, 2))
                .allSatisfy(delivery -> assertThat(delivery).isInstanceOf(Delivery.Failed.class));
        assertThat(deliveries.subList(2, 5))
                .allSatisfy(delivery -> assertThat(delivery).isInstanceOf(Delivery.DeadLettered.class));
        assertThat(deliveries.get(2).acknowledge()).isTrue();
        assertThat(world.effects("tried")).isEqualTo(3);
        assertThat(deadLetters).singleElement().satisfies(letter -> {
            assertThat(letter.attempts()).isEqualTo(3);
            assertThat(letter.event().text()).contains("paid");
            assertThat(letter.why().orElseThrow()).hasMessage("can't parse it");
        });
    }

    @Test
    void poisonThatKillsItsProcessIsGivenUpToo() {
        for (int i = 0; i < 2; i++) {
            Owner dying = processes().startOwner();
            FaultyLedger faulty =
                    new FaultyLedger(ledger()).onHalt(() -> processes().kill(dying));
            assertThatThrownBy(() -> poisoned(idem(faulty, dying)).receive(PAID, (event, call) -> {
                        faulty.halt("out of memory");
                        return "never";
                    }))
                    .isInstanceOf(Halted.class);
        }

        assertThat(poisoned(idem()).receive(PAID, this::handle)).isInstanceOf(Delivery.DeadLettered.class);
        assertThat(deadLetters)
                .singleElement()
                .satisfies(letter -> assertThat(letter.why()).isEmpty());
        assertThat(world.effects("evt_1")).isZero();
    }

    @Test
    void aProcessThatDiesWhileGivingUpDoesNotHaveTheLetterTwice() {
        for (Point point : List.of(Point.BEFORE_SETTLE, Point.AFTER_SETTLE)) {
            deadLetters.clear();
            Event event = Event.of("dying-" + point, "");
            Owner dying = processes().startOwner();
            FaultyLedger faulty =
                    new FaultyLedger(ledger()).onHalt(() -> processes().kill(dying));
            faulty.halt(point);
            assertThatThrownBy(() -> poisonedAtOnce(idem(faulty, dying)).receive(event, this::fail))
                    .isInstanceOf(Halted.class);

            Delivery<String> again = poisonedAtOnce(idem()).receive(event, this::fail);

            assertThat(deadLetters).hasSize(1);
            assertThat(again)
                    .isInstanceOf(point == Point.BEFORE_SETTLE ? Delivery.InDoubt.class : Delivery.DeadLettered.class);
        }
    }

    @Test
    void deadLettersThatThrowAreOfferedTheEventAgain() {
        Inbox<String> broken = stripe(idem()).poisonAfter(1, letter -> {
            throw new IOException("the dead letters are full");
        });
        assertThat(broken.receive(PAID, this::fail)).isInstanceOf(Delivery.Failed.class);

        assertThat(poisonedAtOnce(idem()).receive(PAID, this::fail)).isInstanceOf(Delivery.DeadLettered.class);
        assertThat(deadLetters).hasSize(1);
    }

    @Test
    void aHandlerThatGivesNullIsNoDeadLetter() {
        Inbox<Object> inbox = Inbox.of(idem(), "stripe").poisonAfter(3, deadLetters::add);
        inbox.receive(PAID, (event, call) -> null);

        assertThat(inbox.receive(PAID, (event, call) -> world.act("again"))).isInstanceOf(Delivery.Duplicate.class);
    }

    @Test
    void theLeaseMustBeShorterThanTheVisibilityTimeout() {
        Inbox<?> queue = Inbox.of(idem(), "sqs").visibilityTimeout(Duration.ofSeconds(30));

        assertThatThrownBy(() -> queue.policy(Policy.unset().lease(Duration.ofSeconds(30))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("not shorter than the queue's visibility time-out");
        assertThatThrownBy(() -> Inbox.of(idem(), "sqs")
                        .policy(Policy.unset().lease(Duration.ofMinutes(1)))
                        .visibilityTimeout(Duration.ofSeconds(30)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void withoutALeaseHalfTheVisibilityTimeoutIsTaken() {
        Idem idem = idem();
        Inbox.of(idem, "sqs").visibilityTimeout(Duration.ofSeconds(20)).receive(PAID, (event, call) -> {
            pass(Duration.ofSeconds(9));
            assertThat(entry(call.address()).state()).isEqualTo(State.IN_PROGRESS);
            pass(Duration.ofSeconds(2));
            assertThat(entry(call.address()).state()).isEqualTo(State.IN_DOUBT);
            return "late";
        });
    }

    @Test
    void anEventIsForgottenAfterItsRetention() {
        Inbox<String> inbox = stripe(idem()).policy(Policy.unset().retention(Duration.ofHours(1)));
        inbox.receive(PAID, this::handle);
        pass(Duration.ofMinutes(61));

        assertThat(inbox.receive(PAID, this::handle)).isInstanceOf(Delivery.Handled.class);
    }

    @Test
    void noMoreEventsThanAskedForAreRememberedTheOldestGoFirst() {
        Inbox<String> inbox = stripe(idem()).remember(20);
        for (int i = 0; i < 100; i++) {
            inbox.receive(Event.of("e" + i, ""), this::handle);
        }

        assertThat(inbox.receive(Event.of("e99", ""), this::handle)).isInstanceOf(Delivery.Duplicate.class);
        assertThat(inbox.receive(Event.of("e81", ""), this::handle)).isInstanceOf(Delivery.Duplicate.class);
        assertThat(inbox.receive(Event.of("e70", ""), this::handle)).isInstanceOf(Delivery.Handled.class);
    }

    private Inbox<String> poisoned(Idem idem) {
        return stripe(idem).poisonAfter(2, deadLetters::add);
    }

    private Inbox<String> poisonedAtOnce(Idem idem) {
        return stripe(idem).poisonAfter(1, deadLetters::add);
    }

    private static Inbox<String> stripe(Idem idem) {
        return Inbox.of(idem, "stripe").returning(String.class);
    }

    private String handle(Event event, Call call) {
        return world.act(event.id().orElseThrow());
    }

    private String fail(Event event, Call call) throws IOException {
        throw new IOException("poison");
    }
}
