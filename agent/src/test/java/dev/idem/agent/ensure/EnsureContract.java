package dev.idem.agent.ensure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.Idem;
import dev.idem.InDoubtException;
import dev.idem.Policy;
import dev.idem.spi.Effect;
import dev.idem.spi.Ledger;
import dev.idem.spi.Owner;
import dev.idem.testkit.EngineCase;
import dev.idem.testkit.FaultyLedger;
import dev.idem.testkit.FaultyLedger.Point;
import dev.idem.testkit.Halted;
import dev.idem.testkit.Race;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Look, and make it only if it is not there, as one step. */
abstract class EnsureContract extends EngineCase {
    private static final String THING = "cus_1/pro";

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
