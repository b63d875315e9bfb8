package dev.idem.agent.ensure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.Address;
import dev.idem.Idem;
import dev.idem.InDoubtException;
import dev.idem.Operation;
import dev.idem.Policy;
import dev.idem.State;
import dev.idem.spi.Effect;
import dev.idem.spi.Ledger;
import dev.idem.spi.Owner;
import dev.idem.spi.browse.Browsable;
import dev.idem.spi.browse.Query;
import dev.idem.testkit.EngineCase;
import dev.idem.testkit.FaultyLedger;
import dev.idem.testkit.FaultyLedger.Point;
import dev.idem.testkit.Halted;
import dev.idem.testkit.Race;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Look, and make it only if it is not there, as one step. */
abstract class EnsureContract extends EngineCase {
    private static final String THING = "cus_1/pro";

    private static final String REFUSED =
            "%s belongs to an ordinary call, whose result would be lost. Give Ensure another name, scope, key or identity. "
                    + "Nothing was created";

    private final AtomicInteger looks = new AtomicInteger();

    @Test
    void whatIsAbsentIsMadeAndWhatIsThereIsFound() {
        Ensured<String> first = ensure(idem());
        Ensured<String> second = ensure(idem());

        assertThat(first).isEqualTo(new Ensured<>(THING + " #1", Effect.CREATED, "created"));
        assertThat(first.created()).isTrue();
        assertThat(second).isEqualTo(new Ensured<>(THING + " #1", Effect.NOOP, "already_exists"));
        assertThat(second.created()).isFalse();
        assertThat(world.effects(THING)).isEqualTo(1);
    }

    /** Time stands still in these tests, so nothing can have expired: the result of the first call was still there. */
    @Test
    void eachLaterCallLooksAgainAndMakesAnewWhatHasGone() {
        Idem idem = idem();
        ensure(idem);
        ensure(idem);
        assertThat(looks).hasValue(2);

        world.undo(THING);

        assertThat(ensure(idem).created()).isTrue();
        assertThat(looks).hasValue(3);
        assertThat(world.effects(THING)).isEqualTo(1);
    }

    @Test
    void agentsThatLookAtTheSameTimeMakeItOnce() {
        Idem one = idem();
        Idem other = idem(anotherHandle(), processes().startOwner());
        List<Callable<Ensured<String>>> agents = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
            agents.add(() -> ensure(one));
            agents.add(() -> ensure(other));
        }

        List<Ensured<String>> ensured = Race.between(agents);

        assertThat(ensured).filteredOn(Ensured::created).hasSize(1);
        assertThat(ensured).allMatch(each -> each.value().equals(THING + " #1"));
        assertThat(world.effects(THING)).isEqualTo(1);
    }

    @Test
    void otherThingsAreMadeBesideIt() {
        Idem idem = idem();
        ensure(idem);
        Ensured<String> other = Ensure.of(idem, "create_subscription")
                .identity(Map.of("customer", "cus_2", "plan", "pro"))
                .returning(String.class)
                .unless(() -> world.lookUp("cus_2/pro"))
                .then(call -> world.act("cus_2/pro"));

        assertThat(other.created()).isTrue();
    }

    @Test
    void whenLookingFailsNothingIsMadeAndItMayBeTriedAgain() {
        Idem idem = idem();
        assertThatThrownBy(() -> subscription(idem)
                        .unless(() -> {
                            throw new IOException("no connection");
                        })
                        .then(call -> world.act(THING)))
                .isInstanceOf(IOException.class)
                .satisfies(thrown -> assertThat(thrown.getSuppressed()).isEmpty());

        assertThat(ensure(idem).created()).isTrue();
    }

    @Test
    void aLostResponseIsInDoubtUntilItCanNoLongerComeAndThenFound() {
        Idem idem = idem();
        assertThatThrownBy(() -> subscription(idem)
                        .unless(() -> world.lookUp(THING))
                        .then(call -> {
                            world.act(THING);
                            throw new IOException("response lost");
                        }))
                .isInstanceOf(IOException.class);

        assertThatThrownBy(() -> ensure(idem)).isInstanceOf(InDoubtException.class);
        passLimit();
        assertThat(ensure(idem).reason()).isEqualTo("already_exists");
        assertThat(world.effects(THING)).isEqualTo(1);
    }

    @Test
    void aProcessThatDiesBeforeMakingItLeavesItToTheNext() {
        Owner dying = processes().startOwner();
        FaultyLedger faulty =
                new FaultyLedger(ledger()).onHalt(() -> processes().kill(dying));
        assertThatThrownBy(() -> subscription(idem(faulty, dying))
                        .unless(() -> world.lookUp(THING))
                        .then(call -> {
                            faulty.halt("before it is made");
                            return "never";
                        }))
                .isInstanceOf(Halted.class);
        passLimit();

        assertThat(ensure(idem()).created()).isTrue();
        assertThat(world.effects(THING)).isEqualTo(1);
    }

    @Test
    void aProcessThatDiesAfterMakingItHasItFound() {
        for (Point point : List.of(Point.BEFORE_SETTLE, Point.AFTER_SETTLE)) {
            world.undo(THING);
            Owner dying = processes().startOwner();
            FaultyLedger faulty = new FaultyLedger(ledger())
                    .onHalt(() -> processes().kill(dying))
                    .halt(point);
            assertThatThrownBy(() -> ensure(idem(faulty, dying))).isInstanceOf(Halted.class);
            passLimit();

            assertThat(ensure(idem()).reason()).as("%s", point).isEqualTo("already_exists");
            assertThat(world.effects(THING)).isEqualTo(1);
        }
    }

    @Test
    void aThingThatCannotBeStoredIsMadeAndFoundAllTheSame() {
        Idem idem = idem();
        Object thing = new Object();
        AtomicInteger made = new AtomicInteger();
        for (int i = 0; i < 2; i++) {
            Ensured<Object> ensured = Ensure.of(idem, "create_thing")
                    .key("thing")
                    .unless(() -> made.get() == 0 ? Optional.empty() : Optional.of(thing))
                    .then(call -> {
                        made.incrementAndGet();
                        return thing;
                    });
            assertThat(ensured.value()).isSameAs(thing);
            assertThat(ensured.created()).isEqualTo(i == 0);
        }
        assertThat(made).hasValue(1);
    }

    @Test
    void aNearCacheDoesNotAnswerForTheWorld() {
        Idem idem = open(builder(ledger(), processes().startOwner()).nearCache(100, Duration.ofHours(1)));
        ensure(idem);
        world.undo(THING);

        assertThat(ensure(idem).created()).isTrue();
    }

    @Test
    void theRecordOfAnOrdinaryCallStays() {
        Idem idem = idem();
        ordinary(idem).run(call -> world.act("ordinary"));

        assertRefused(idem);

        assertThat(ordinary(idem).attempt(call -> world.act("ordinary")).replayed())
                .isTrue();
        assertThat(world.effects("ordinary")).isEqualTo(1);
        assertThat(world.effects(THING)).isZero();
        assertThat(looks).hasValue(0);
    }

    @Test
    void anOrdinaryCallThatBeginsBeforeTheForgetIsNotForgotten() {
        Idem idem = idem();
        ensure(idem);
        Address address = address();
        FaultyLedger faulty = new FaultyLedger(ledger()).at(Point.BEFORE_FORGET, () -> {
            ledger().forget(ledger().find(address).orElseThrow());
            ordinary(idem).run(call -> world.act("ordinary"));
        });

        assertRefused(idem(faulty, processes().startOwner()));

        assertThat(ordinary(idem).attempt(call -> world.act("ordinary")).replayed())
                .isTrue();
    }

    /** The second answer that an ensure gets was the answer of a newer call: it was taken for that of another ensure. */
    @Test
    void theResultOfAnOrdinaryCallIsNotTheThing() {
        Idem idem = idem();
        ensure(idem);
        FaultyLedger faulty = new FaultyLedger(ledger())
                .at(Point.AFTER_FORGET, () -> ordinary(idem).run(call -> "of an ordinary call"));

        assertRefused(idem(faulty, processes().startOwner()));
    }

    @Test
    void theDoubtOfAnOrdinaryCallIsNotProbed() {
        Idem idem = idem();
        assertThatThrownBy(() -> ordinary(idem).run(call -> {
                    throw new IOException("response lost");
                }))
                .isInstanceOf(IOException.class);
        passLimit();

        assertThatThrownBy(() -> ensure(idem))
                .isInstanceOf(InDoubtException.class)
                .satisfies(thrown -> assertThat(thrown.getSuppressed())
                        .extracting(Throwable::getMessage)
                        .contains(REFUSED.formatted(address())));

        assertThat(ledger().find(address()).orElseThrow().state()).isEqualTo(State.IN_DOUBT);
        assertThat(looks).hasValue(0);
    }

    @Test
    void theEntryHasTheLabelThatAllLanguagesKnow() {
        ensure(idem());

        assertThat(ledger().find(address()).orElseThrow().labels()).containsEntry("ensure", "true");
    }

    @Test
    void aLookThatGivesNoThingIsRefusedAndNothingIsMade() {
        List<Object> mistakes = List.of(
                false,
                true,
                0,
                0L,
                Double.NaN,
                BigDecimal.ZERO,
                "",
                List.of(),
                Set.of(),
                Map.of(),
                new byte[0],
                Optional.empty(),
                new CompletableFuture<>(),
                List.of(new CompletableFuture<>()),
                Stream.of("sub_1"));
        for (Object mistake : mistakes) {
            assertThatThrownBy(() -> lookedUp(Optional.of(mistake)))
                    .as("%s", mistake)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("does not say whether the thing is there");
        }
        assertThatThrownBy(() -> lookedUp(null)).isInstanceOf(IllegalArgumentException.class);

        for (Object thing : List.of(7, "sub_1", List.of(1), Map.of("id", 1))) {
            assertThat(lookedUp(Optional.of(thing)).created()).as("%s", thing).isFalse();
        }
        assertThat(lookedUp(Optional.empty()).created()).isTrue();
    }

    @SuppressWarnings("NullableOptional")
    private Ensured<Object> lookedUp(@Nullable Optional<Object> found) {
        return Ensure.of(idem(), "create_thing")
                .key("thing")
                .unless(() -> wrongly(found))
                .then(call -> {
                    assertThat(found).isEmpty();
                    return "made";
                });
    }

    /** What a caller without null checks may return. */
    @SuppressWarnings({"NullAway", "NullableOptional"})
    private static Optional<Object> wrongly(@Nullable Optional<Object> found) {
        return found;
    }

    private void assertRefused(Idem idem) {
        assertThatThrownBy(() -> ensure(idem))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(REFUSED, address());
    }

    private Address address() {
        return ledger().as(Browsable.class)
                .orElseThrow()
                .browse(Query.all())
                .entries()
                .get(0)
                .address();
    }

    private static Operation<String> ordinary(Idem idem) {
        return idem.operation("create_subscription")
                .scope("tenant-1")
                .identity(Map.of("customer", "cus_1", "plan", "pro"))
                .returning(String.class)
                .policy(Policy.unset().lease(LEASE).timeLimit(LIMIT));
    }

    /** The same store through a handle of its own, as another process would have it. */
    protected Ledger anotherHandle() {
        return ledger();
    }

    private Ensured<String> ensure(Idem idem) {
        return subscription(idem)
                .unless(() -> {
                    looks.incrementAndGet();
                    return world.lookUp(THING);
                })
                .then(call -> world.act(THING));
    }

    private static Ensure<String> subscription(Idem idem) {
        return Ensure.of(idem, "create_subscription")
                .scope("tenant-1")
                .identity(Map.of("customer", "cus_1", "plan", "pro"))
                .returning(String.class)
                .with(op -> op.policy(Policy.unset().lease(LEASE).timeLimit(LIMIT)));
    }
}
