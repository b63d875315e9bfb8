package dev.idem.agent.inbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.idem.Address;
import dev.idem.Call;
import dev.idem.Idem;
import dev.idem.OnDoubt;
import dev.idem.Policy;
import dev.idem.State;
import dev.idem.agent.inbox.InboxDriver.Taken;
import dev.idem.spi.ForwardingLedger;
import dev.idem.spi.Ledger;
import dev.idem.spi.Owner;
import dev.idem.spi.browse.Browsable;
import dev.idem.spi.store.MemoryLedger;
import dev.idem.testkit.EngineCase;
import dev.idem.testkit.FaultyLedger;
import dev.idem.testkit.FaultyLedger.Point;
import dev.idem.testkit.Halted;
import dev.idem.testkit.LedgerFixture;
import dev.idem.testkit.Race;
import dev.idem.testkit.Until;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Recorded events are handled to their end, once, in whatever order processes record, handle, forget and die. */
class RecordedEventsTest extends EngineCase {
    private static final Event PAID =
            Event.of("evt_1", "{\"type\": \"paid\", \"text\": \"ü\"}").with("type", "paid");
    private static final Pace QUICK =
            Pace.USUAL.waits(Duration.ofMillis(1), Duration.ofMillis(5)).lookEvery(Duration.ofMillis(20));

    private final Set<String> broken = ConcurrentHashMap.newKeySet();

    @Override
    protected LedgerFixture fixture() {
        return LedgerFixture.of(MemoryLedger::new);
    }

    @Test
    void aRecordedEventIsHandledOnceAndThenForgotten() {
        RecordedEvents events = events(idem());

        assertThat(events.take(PAID)).isEqualTo(Taken.RECORDED);
        assertThat(events.take(PAID)).isEqualTo(Taken.RECORDED);
        assertThat(world.effects()).isZero();
        assertThat(events.step("evt_1")).isNull();
        assertThat(events.step("evt_1")).isNull();

        assertThat(world.effects("evt_1")).isEqualTo(1);
        assertThat(recorded(events)).isEmpty();
        assertThat(events.take(PAID)).isEqualTo(Taken.HANDLED);
    }

    @Test
    void anEventRecordedAgainAfterItWasHandledAndForgottenDoesNotRunAgain() {
        Idem idem = idem();
        RecordedEvents events = events(idem);
        events.take(PAID);
        events.step("evt_1");
        new KeptEvents(idem, "inbox:stripe").record("evt_1", PAID, null);

        assertThat(events.step("evt_1")).isNull();

        assertThat(world.effects("evt_1")).isEqualTo(1);
        assertThat(recorded(events)).isEmpty();
    }

    @Test
    void theWaitAfterAFailureIsKnownToAnotherProcess() {
        broken.add("evt_1");
        Idem one = idem();
        RecordedEvents first = events(one, event -> inbox(one).poisonAfter(5).receive(event, this::handle));
        first.take(PAID);
        assertThat(first.step("evt_1")).isEqualTo(Duration.ofSeconds(1));
        pass(Duration.ofSeconds(1));
        assertThat(first.step("evt_1")).isEqualTo(Duration.ofSeconds(4));
        pass(Duration.ofSeconds(3));

        Idem other = idem();
        RecordedEvents second =
                events(other, event -> inbox(other).poisonAfter(5).receive(event, this::handle));
        broken.clear();
        assertThat(second.step("evt_1")).isEqualTo(Duration.ofSeconds(4));
        assertThat(world.effects("evt_1")).isZero();
        pass(Duration.ofSeconds(1));
        assertThat(second.step("evt_1")).isNull();

        assertThat(world.effects("tried evt_1")).isEqualTo(3);
        assertThat(world.effects("evt_1")).isEqualTo(1);
    }

    @Test
    void anEventThatFailsTooOftenIsListedAndRunsOnlyWhenItIsSentAgain() {
        Idem idem = idem();
        RecordedEvents events = poisoned(idem);

        assertThat(Poison.of(idem).list("stripe")).singleElement().satisfies(poisoned -> {
            assertThat(poisoned.attempts()).isEqualTo(2);
            assertThat(poisoned.failure()).contains("can't parse it");
            assertThat(poisoned.event().text()).isEqualTo(PAID.text());
            assertThat(poisoned.event().attribute("type")).contains("paid");
        });
        assertThat(entry(new Address("inbox:stripe", "inbox_dead_letter", "evt_1"))
                        .labels())
                .containsEntry("attempts", "2")
                .containsEntry("error", "java.io.IOException")
                .containsEntry("type", "paid");
        broken.clear();
        assertThat(inbox(idem).receive(PAID, this::handle)).isInstanceOf(Delivery.DeadLettered.class);
        events.take(PAID);
        assertThat(events.step("evt_1")).isNull();
        assertThat(world.effects("evt_1")).isZero();
        pass(Duration.ofDays(1000));

        assertThat(Poison.of(idem()).again("stripe", "evt_1")).isTrue();
        assertThat(events.step("evt_1")).isNull();

        assertThat(world.effects("evt_1")).isEqualTo(1);
        assertThat(Poison.of(idem).list()).isEmpty();
        assertThat(recorded(events)).isEmpty();
        assertThat(Poison.of(idem).again("stripe", "evt_1")).isFalse();
    }

    @Test
    void anEventThatIsSentAgainHasAllItsAttemptsAgain() {
        Idem idem = idem();
        RecordedEvents events = poisoned(idem);
        Poison.of(idem).again("stripe", "evt_1");

        assertThat(events.step("evt_1")).isNotNull();
        assertThat(Poison.of(idem).list()).isEmpty();
        pass(Duration.ofSeconds(1));
        assertThat(events.step("evt_1")).isNull();

        assertThat(world.effects("tried evt_1")).isEqualTo(4);
        assertThat(Poison.of(idem).list()).hasSize(1);
    }

    /** The driver would forget the event that was recorded again in place of the one that it has given up. */
    @Test
    void anEventSentAgainBeforeTheDriverForgotItIsNotLost() {
        Idem idem = idem();
        Inbox<String> inbox = inbox(idem);
        broken.add("evt_1");
        RecordedEvents events = events(idem, event -> {
            Delivery<?> delivery = inbox.receive(event, this::handle);
            if (delivery instanceof Delivery.DeadLettered) {
                broken.clear();
                assertThat(Poison.of(idem).again("stripe", "evt_1")).isTrue();
            }
            return delivery;
        });
        events.take(PAID);
        events.step("evt_1");
        pass(Duration.ofSeconds(1));
        events.step("evt_1");

        assertThat(recorded(events)).containsExactly("evt_1");
        assertThat(events.step("evt_1")).isNull();
        assertThat(world.effects("evt_1")).isEqualTo(1);
    }

    /** A driver that took the letter for its own would forget the event, and then the letter would be removed. */
    @Test
    void aProcessThatDiesWhileItSendsAnEventAgainLosesNothing() {
        for (Point point : List.of(Point.BEFORE_SETTLE, Point.BEFORE_FORGET, Point.AFTER_FORGET)) {
            broken.add("evt_1");
            int before = world.effects("evt_1");
            RecordedEvents events = poisoned(idem());
            broken.clear();
            FaultyLedger faulty = dying();
            faulty.halt(point);
            assertThatThrownBy(() ->
                            Poison.of(idem(faulty, processes().startOwner())).again("stripe", "evt_1"))
                    .isInstanceOf(Halted.class);

            if (point == Point.BEFORE_SETTLE) {
                pass(Duration.ofSeconds(30));
                assertThat(events.step("evt_1")).isNull();
                assertThat(Poison.of(idem()).again("stripe", "evt_1")).isTrue();
            }
            assertThat(events.step("evt_1")).isNull();
            assertThat(world.effects("evt_1")).as("%s", point).isEqualTo(before + 1);
            assertThat(Poison.of(idem()).list()).isEmpty();
            idem().forget(entry(new Address("inbox:stripe", "inbox_event", "evt_1")));
        }
    }

    /** The process that gave the event up pauses before it forgets its entry. */
    @Test
    void anEventThatWasSentAgainAndHandledIsNotForgottenByTheCallThatGaveItUp() {
        broken.add("evt_1");
        FaultyLedger ledger = new FaultyLedger(ledger());
        RecordedEvents slow = events(idem(ledger, processes().startOwner()));
        RecordedEvents other = events(idem());
        slow.take(PAID);
        slow.step("evt_1");
        pass(Duration.ofSeconds(1));
        // The first settle is that of the letter, the second that of the event.
        ledger.at(Point.AFTER_SETTLE, () -> {});
        ledger.at(Point.AFTER_SETTLE, () -> {
            broken.clear();
            assertThat(Poison.of(idem()).again("stripe", "evt_1")).isTrue();
            assertThat(other.step("evt_1")).isNull();
        });
        slow.step("evt_1");

        assertThat(other.take(PAID)).isEqualTo(Taken.HANDLED);
        assertThat(world.effects("evt_1")).isEqualTo(1);
    }

    @Test
    void anEventThatTwoCallsSendAgainIsNotLostWhenOneOfThemDies() {
        RecordedEvents events = poisoned(idem());
        broken.clear();
        FaultyLedger faulty = dying();
        // After it has read the letter, another call sends the event again.
        faulty.at(Point.AFTER_FIND, () -> Poison.of(idem()).again("stripe", "evt_1"));
        faulty.halt(Point.BEFORE_CLAIM);
        Throwable end = catchThrowable(
                () -> Poison.of(idem(faulty, processes().startOwner())).again("stripe", "evt_1"));

        assertThat(recorded(events)).containsExactly("evt_1");
        assertThat(end).isNull();
        assertThat(events.step("evt_1")).isNull();
        assertThat(world.effects("evt_1")).isEqualTo(1);
        assertThat(Poison.of(idem()).list()).isEmpty();
    }

    @Test
    void aHandledEventDoesNotRunAgainWhenItsProcessDiesBeforeItForgetsItAndIsAwayForLongerThanTheRetention() {
        FaultyLedger faulty = dying();
        faulty.halt(Point.BEFORE_FORGET);
        try (InboxDriver dying = inbox(idem(faulty, processes().startOwner())).drive(this::handle, QUICK)) {
            dying.take(PAID);
            Until.isTrue("dead", () -> faulty.passed(Point.BEFORE_FORGET) == 1);
        }
        pass(Duration.ofDays(8));
        RecordedEvents looking = events(idem());
        assertThat(recorded(looking)).containsExactly("evt_1");

        try (InboxDriver next = inbox(idem()).drive(this::handle, QUICK)) {
            assertThat(next).isNotNull();
            Until.isTrue("forgotten", () -> recorded(looking).isEmpty());
            assertThat(next.take(PAID)).isEqualTo(Taken.HANDLED);
        }
        assertThat(world.effects("evt_1")).isEqualTo(1);
    }

    @Test
    void anErrorDoesNotKeepTheDriverFromLookingAgain() {
        events(idem()).take(PAID);
        AtomicBoolean full = new AtomicBoolean(true);
        Ledger once = new ForwardingLedger(ledger()) {
            @Override
            public <C> Optional<C> as(Class<C> capability) {
                if (Thread.currentThread().getName().equals("idem-inbox") && full.getAndSet(false)) {
                    throw new OutOfMemoryError("by order");
                }
                return super.as(capability);
            }
        };
        try (InboxDriver driver = inbox(idem(once, processes().startOwner())).drive(this::handle, QUICK)) {
            assertThat(driver).isNotNull();
            Until.isTrue("it is handled", () -> world.effects("evt_1") == 1);
        }
        assertThat(full).isFalse();
    }

    @Test
    void anEventThatIsJustBeingGivenUpIsNotSentAgainYet() {
        Idem idem = idem();
        broken.add("evt_1");
        List<Boolean> sent = new ArrayList<>();
        FaultyLedger ledger = new FaultyLedger(ledger());
        RecordedEvents events = events(idem(ledger, processes().startOwner()));
        events.take(PAID);
        events.step("evt_1");
        pass(Duration.ofSeconds(1));
        // The first settle is that of the letter, the second that of the event.
        ledger.at(Point.AFTER_SETTLE, () -> sent.add(Poison.of(idem).again("stripe", "evt_1")));
        events.step("evt_1");

        assertThat(sent).containsExactly(false);
        assertThat(Poison.of(idem).list()).hasSize(1);
    }

    @Test
    void aProcessThatDiesAnywhereWhileItHandlesLosesNothing() {
        for (Point point : List.of(
                Point.BEFORE_CLAIM,
                Point.AFTER_CLAIM,
                Point.BEFORE_SETTLE,
                Point.AFTER_SETTLE,
                Point.BEFORE_FORGET,
                Point.AFTER_FORGET)) {
            Event event = Event.of("dies-" + point, "{}");
            events(idem()).take(event);
            Owner owner = processes().startOwner();
            FaultyLedger faulty =
                    new FaultyLedger(ledger()).onHalt(() -> processes().kill(owner));
            faulty.halt(point);
            RecordedEvents dying = events(idem(faulty, owner));
            assertThatThrownBy(() -> dying.step("dies-" + point)).isInstanceOf(Halted.class);
            pass(Duration.ofSeconds(1));

            RecordedEvents other = events(idem());
            assertThat(other.step("dies-" + point)).isNull();

            assertThat(recorded(other)).isEmpty();
            // The handler's own steps are not guarded here: it runs again if nothing says that it has ended.
            assertThat(world.effects("dies-" + point)).isEqualTo(point == Point.BEFORE_SETTLE ? 2 : 1);
            assertThat(entry(new Address("inbox:stripe", "inbox_event", "dies-" + point))
                            .state())
                    .isEqualTo(State.COMPLETE);
        }
    }

    @Test
    void anEventInDoubtThatMayNotRunAgainStaysRecordedUntilAPersonDecides() {
        Idem idem = idem();
        Inbox<String> halting = inbox(idem).policy(Policy.unset().onDoubt(OnDoubt.HALT));
        broken.add("evt_1");
        RecordedEvents events = events(idem, event -> halting.receive(event, this::handle));
        events.take(PAID);
        assertThat(events.step("evt_1")).isEqualTo(Duration.ofMinutes(1));
        pass(Duration.ofHours(2));
        assertThat(events.step("evt_1")).isEqualTo(Duration.ofMinutes(1));

        assertThat(world.effects("tried evt_1")).isEqualTo(1);
        assertThat(recorded(events)).containsExactly("evt_1");
        idem.resolve(entry(new Address("inbox:stripe", "inbox_event", "evt_1"))).asFailed();
        broken.clear();
        pass(Duration.ofHours(2));
        assertThat(events.step("evt_1")).isNull();
        assertThat(world.effects("evt_1")).isEqualTo(1);
    }

    @Test
    void aRecordedEventDoesNotExpire() {
        RecordedEvents events = events(idem());
        events.take(PAID);
        pass(Duration.ofDays(3650));
        ledger().as(Browsable.class).orElseThrow().purge(100);

        assertThat(events.step("evt_1")).isNull();
        assertThat(world.effects("evt_1")).isEqualTo(1);
    }

    @Test
    void anEventThatTheLedgerCantStoreIsNotTaken() {
        RecordedEvents events =
                events(open(builder(ledger(), processes().startOwner()).largestResult(100)));

        assertThat(events.take(Event.of("large", "x".repeat(200)))).isEqualTo(Taken.TOO_LARGE);

        assertThat(recorded(events)).isEmpty();
    }

    @Test
    void aProcessThatDiesWhileItRefusesALargeEventDoesNotBlockIt() {
        Event large = Event.of("large", "x".repeat(200));
        FaultyLedger faulty = dying();
        faulty.halt(Point.BEFORE_FORGET);
        RecordedEvents small =
                events(open(builder(faulty, processes().startOwner()).largestResult(100)));
        assertThatThrownBy(() -> small.take(large)).isInstanceOf(Halted.class);

        RecordedEvents next = events(idem());
        assertThat(next.take(large)).isEqualTo(Taken.RECORDED);
        assertThat(next.step("large")).isNull();
        assertThat(world.effects("large")).isEqualTo(1);
    }

    /** The letter of the first life is in the near cache: writing it again would write nothing. */
    @Test
    void aNearCacheDoesNotLoseAnEventThatIsGivenUpTwice() {
        Idem cached = open(cached(ledger(), Duration.ofHours(1)));
        RecordedEvents events = poisoned(cached);
        Poison.of(idem()).again("stripe", "evt_1");
        pass(Duration.ofSeconds(1));
        events.step("evt_1");
        pass(Duration.ofSeconds(1));
        events.step("evt_1");

        assertThat(recorded(events).size() + Poison.of(idem()).list().size()).isEqualTo(1);
    }

    @Test
    void bytesThatAreNoTextComeBackAsTheyWere() {
        byte[] bytes = {0, (byte) 0xff, (byte) 0xc3, 65};
        List<byte[]> seen = new ArrayList<>();
        Idem idem = idem();
        RecordedEvents events = events(idem, event -> {
            seen.add(event.bytes());
            return inbox(idem).receive(event, this::handle);
        });
        events.take(Event.of("bytes", bytes));
        events.step("bytes");

        assertThat(seen).containsExactly(bytes);
    }

    @Test
    void twoDriversOfOneSourceHandleEachEventOnce() {
        List<String> ids = IntStream.range(0, 50).mapToObj(i -> "e" + i).toList();
        broken.addAll(List.of("e3", "e5"));
        RecordedEvents looking = events(idem());
        try (InboxDriver one = inbox(idem()).poisonAfter(20).drive(this::fixing, QUICK);
                InboxDriver other = inbox(idem()).poisonAfter(20).drive(this::fixing, QUICK)) {
            Race.between(List.of(
                    () -> ids.stream().map(id -> one.take(Event.of(id, ""))).toList(),
                    () -> ids.stream().map(id -> other.take(Event.of(id, ""))).toList()));
            Until.isTrue("all are handled and forgotten", () -> {
                pass(Duration.ofMillis(1));
                return world.effects() == 50 + 2 && recorded(looking).isEmpty();
            });
        }
        assertThat(world.repeated()).isEmpty();
    }

    @Test
    void aDriverFindsWhatAnotherProcessLeftBehind() {
        events(idem()).take(PAID);

        try (InboxDriver driver = inbox(idem()).drive(this::handle, Pace.USUAL)) {
            assertThat(driver).isNotNull();
            Until.isTrue("it is handled", () -> world.effects("evt_1") == 1);
        }
    }

    @Test
    void closingWaitsForRunningHandlersAndLeavesTheRestForLater() throws Exception {
        CountDownLatch running = new CountDownLatch(1);
        CountDownLatch gate = new CountDownLatch(1);
        Idem idem = idem();
        InboxDriver driver = inbox(idem)
                .drive(
                        (event, call) -> {
                            running.countDown();
                            gate.await();
                            return world.act(event.id().orElseThrow());
                        },
                        Pace.USUAL.threads(1));
        driver.take(PAID);
        running.await();
        driver.take(Event.of("second", ""));
        Thread closing = new Thread(driver::close);
        closing.start();
        Until.isTrue("closed", () -> driver.take(PAID) == Taken.UNKNOWN);
        gate.countDown();
        closing.join();

        assertThat(world.effects("evt_1")).isEqualTo(1);
        assertThat(world.effects("second")).isZero();
        assertThat(recorded(events(idem()))).contains("second").doesNotContain("evt_1");
    }

    @Test
    void aLedgerThatCantBeBrowsedIsRefusedWhenTheDriverIsBuilt() {
        Ledger blind = new ForwardingLedger(ledger()) {
            @Override
            public <C> Optional<C> as(Class<C> capability) {
                return capability == Browsable.class ? Optional.empty() : super.as(capability);
            }
        };
        assertThatThrownBy(() -> inbox(idem(blind, processes().startOwner())).drive(this::handle, Pace.USUAL))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("can't be browsed");
    }

    @Test
    void anOldEventNeverRanBehindNewerOnesThatFail() {
        record(idem(), "old");
        IntStream.range(0, 50).forEach(i -> record(idem(), "bad_" + i));
        try (InboxDriver driver = new InboxDriver(unpoisoned(QUICK), QUICK, 4)) {
            Until.isTrue("the old event is handled", () -> {
                pass(Duration.ofMillis(1));
                return world.effects("old") == 1;
            });
            assertThat(driver.take(Event.of("new", "{}"))).isEqualTo(Taken.RECORDED);
            Until.isTrue("the new event is handled", () -> {
                pass(Duration.ofMillis(1));
                return world.effects("new") == 1;
            });
        }
    }

    @Test
    void anEventDoesNotWaitBehindOlderOnesThatAreNotDue() {
        Pace patient = QUICK.waits(Duration.ofHours(1), Duration.ofHours(1));
        IntStream.range(0, 50).forEach(i -> record(idem(), "bad_" + i));
        record(idem(), "new");
        try (InboxDriver driver = new InboxDriver(unpoisoned(patient), patient, 4)) {
            Until.isTrue("the new event is handled", () -> world.effects("new") == 1);
            assertThat(driver).isNotNull();
        }
    }

    @Test
    void theOldestOfTheRecordedEventsAreFoundInTheirOrder() {
        List<String> keys = IntStream.range(0, 50)
                .mapToObj(i -> "evt_" + i)
                .peek(key -> record(idem(), key))
                .toList();
        RecordedEvents events = events(idem());

        List<RecordedEvents.Place> found = events.oldest(30, null);

        assertThat(found).extracting(RecordedEvents.Place::key).isEqualTo(keys.subList(0, 30));
        assertThat(events.oldest(30, found.get(29).fence()))
                .extracting(RecordedEvents.Place::key)
                .isEqualTo(keys.subList(30, 50));
        assertThat(recorded(events)).isEqualTo(keys);
    }

    private void record(Idem idem, String id) {
        assertThat(events(idem).take(Event.of(id, "{}"))).isEqualTo(Taken.RECORDED);
    }

    /** Events that are tried for ever; those whose id begins with bad always fail. */
    private RecordedEvents unpoisoned(Pace pace) {
        Idem idem = idem();
        Inbox<String> inbox = Inbox.of(idem, "stripe")
                .returning(String.class)
                .policy(Policy.unset().waitFor(Duration.ZERO));
        return new RecordedEvents(
                idem,
                "inbox:stripe",
                pace,
                event -> inbox.receive(event, (same, call) -> {
                    String id = same.id().orElseThrow();
                    if (id.startsWith("bad")) {
                        throw new IOException("can't parse it");
                    }
                    return world.act(id);
                }));
    }

    /** Two failed attempts, after which the event is given up. */
    private RecordedEvents poisoned(Idem idem) {
        broken.add("evt_1");
        RecordedEvents events = events(idem);
        events.take(PAID);
        assertThat(events.step("evt_1")).isNotNull();
        pass(Duration.ofSeconds(1));
        assertThat(events.step("evt_1")).isNull();
        assertThat(recorded(events)).isEmpty();
        return events;
    }

    private FaultyLedger dying() {
        return new FaultyLedger(ledger());
    }

    private RecordedEvents events(Idem idem) {
        Inbox<String> inbox = inbox(idem).policy(Policy.unset().waitFor(Duration.ZERO));
        return events(idem, event -> inbox.receive(event, this::handle));
    }

    private RecordedEvents events(Idem idem, Function<Event, Delivery<?>> receiver) {
        return new RecordedEvents(idem, "inbox:stripe", Pace.USUAL, receiver);
    }

    private static Inbox<String> inbox(Idem idem) {
        return Inbox.of(idem, "stripe").returning(String.class).poisonAfter(2);
    }

    private static List<String> recorded(RecordedEvents events) {
        return events.oldest(Integer.MAX_VALUE, null).stream()
                .map(RecordedEvents.Place::key)
                .toList();
    }

    private String handle(Event event, Call call) throws IOException {
        String id = event.id().orElseThrow();
        world.act("tried " + id);
        if (broken.contains(id)) {
            throw new IOException("can't parse it");
        }
        return world.act(id);
    }

    /** Fails once for each broken event. */
    private String fixing(Event event, Call call) throws IOException {
        String id = event.id().orElseThrow();
        if (broken.remove(id)) {
            world.act("failed " + id);
            throw new IOException("not now");
        }
        return world.act(id);
    }
}
