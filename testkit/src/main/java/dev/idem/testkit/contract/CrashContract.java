package dev.idem.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.State;
import dev.idem.spi.ClaimRequest;
import dev.idem.spi.Owner;
import dev.idem.spi.TakeOver;
import dev.idem.testkit.FaultyLedger;
import dev.idem.testkit.FaultyLedger.Point;
import dev.idem.testkit.Halted;
import dev.idem.testkit.LedgerCase;
import dev.idem.testkit.World;
import dev.idem.testkit.contract.ProtocolClient.Ending;
import dev.idem.testkit.contract.ProtocolClient.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Processes die and answers are lost at every point: nothing takes effect twice, and unknown outcomes are in doubt. */
abstract class CrashContract extends LedgerCase {
    private static final int SENDS = 3;
    private static final List<Point> POINTS = List.of(
            Point.BEFORE_CLAIM,
            Point.AFTER_CLAIM,
            Point.BEFORE_MARK,
            Point.AFTER_MARK,
            Point.BEFORE_SETTLE,
            Point.AFTER_SETTLE);

    private final World world = new World();

    /** A fault, whether the action is staged, and the next caller's outcome. */
    record Fault(String name, boolean staged, Consumer<ProtocolClient> order, int effects, Ending next) {
        @Override
        public String toString() {
            return name + (staged ? ", staged" : "") + ": " + effects + " effects, then " + next;
        }
    }

    private static Fault halt(Point point, boolean staged, int effects, Ending next) {
        return new Fault(point.name(), staged, client -> client.ledger().halt(point), effects, next);
    }

    private static Fault haltBeforeEffect(boolean staged, int effects, Ending next) {
        return new Fault(
                "BEFORE_EFFECT",
                staged,
                client -> client.beforeEffect(() -> client.ledger().halt("BEFORE_EFFECT")),
                effects,
                next);
    }

    private static Fault haltAfterEffect(boolean staged, int effects, Ending next) {
        return new Fault(
                "AFTER_EFFECT",
                staged,
                client -> client.afterEffect(() -> client.ledger().halt("AFTER_EFFECT")),
                effects,
                next);
    }

    static List<Fault> crashes() {
        return List.of(
                halt(Point.BEFORE_CLAIM, false, 0, Ending.DONE),
                halt(Point.AFTER_CLAIM, false, 0, Ending.IN_DOUBT),
                haltBeforeEffect(false, 0, Ending.IN_DOUBT),
                haltAfterEffect(false, 1, Ending.IN_DOUBT),
                halt(Point.BEFORE_SETTLE, false, 1, Ending.IN_DOUBT),
                halt(Point.AFTER_SETTLE, false, 1, Ending.REPLAYED),
                halt(Point.BEFORE_CLAIM, true, 0, Ending.DONE),
                halt(Point.AFTER_CLAIM, true, 0, Ending.DONE),
                halt(Point.BEFORE_MARK, true, 0, Ending.DONE),
                halt(Point.AFTER_MARK, true, 0, Ending.IN_DOUBT),
                haltBeforeEffect(true, 0, Ending.IN_DOUBT),
                haltAfterEffect(true, 1, Ending.IN_DOUBT),
                halt(Point.BEFORE_SETTLE, true, 1, Ending.IN_DOUBT),
                halt(Point.AFTER_SETTLE, true, 1, Ending.REPLAYED));
    }

    private ProtocolClient process() {
        Owner owner = processes().startOwner();
        FaultyLedger handle =
                new FaultyLedger(ledger()).onHalt(() -> processes().kill(owner));
        return new ProtocolClient(handle, world, () -> request(owner));
    }

    private ProtocolClient namelessProcess() {
        return new ProtocolClient(new FaultyLedger(ledger()), world, this::request);
    }

    private static UnaryOperator<ClaimRequest> staged(boolean staged) {
        return request -> request.withStaged(staged);
    }

    private static UnaryOperator<ClaimRequest> probing(boolean staged) {
        return request -> request.withStaged(staged).withTakeOver(TakeOver.PROBE);
    }

    private void assertEffects(int effects) {
        assertThat(world.effects(KEY.key())).as("effects").isEqualTo(effects);
    }

    private void endsWell() {
        passLimit();
        Outcome last = process().run(probing(false));
        assertThat(last.ending()).isIn(Ending.DONE, Ending.REPLAYED);
        assertThat(last.receipt()).isEqualTo(KEY.key() + " #1");
        assertThat(process().run(staged(false))).isEqualTo(new Outcome(Ending.REPLAYED, last.receipt()));
        assertEffects(1);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("crashes")
    @Tag(LedgerContract.RULES)
    void aProcessEndsAndItIsKnownAtOnce(Fault crash) {
        ProtocolClient first = process();
        crash.order().accept(first);
        assertThatThrownBy(() -> first.run(staged(crash.staged()))).isInstanceOf(Halted.class);
        assertEffects(crash.effects());
        assertThat(process().run(staged(crash.staged())).ending()).isEqualTo(crash.next());
        endsWell();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("crashes")
    @Tag(LedgerContract.RULES)
    void aProcessEndsAndItsLeaseRunsOut(Fault crash) {
        ProtocolClient first = namelessProcess();
        crash.order().accept(first);
        assertThatThrownBy(() -> first.run(staged(crash.staged()))).isInstanceOf(Halted.class);
        passLease();
        assertThat(namelessProcess().run(staged(crash.staged())).ending()).isEqualTo(crash.next());
        endsWell();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("crashes")
    void aProcessEndsAndTheLedgerIsOpenedAgain(Fault crash) {
        ProtocolClient first = process();
        crash.order().accept(first);
        assertThatThrownBy(() -> first.run(staged(crash.staged()))).isInstanceOf(Halted.class);
        reopen();
        assertThat(process().run(staged(crash.staged())).ending()).isEqualTo(crash.next());
        endsWell();
    }

    static List<Arguments> probes() {
        List<Arguments> probes = new ArrayList<>();
        for (Point point : List.of(Point.BEFORE_CLAIM, Point.AFTER_CLAIM, Point.BEFORE_SETTLE, Point.AFTER_SETTLE)) {
            probes.add(Arguments.argumentSet(point + ", nothing had happened", point, false));
            probes.add(Arguments.argumentSet(point + ", it had happened", point, true));
        }
        return probes;
    }

    @ParameterizedTest
    @MethodSource("probes")
    @Tag(LedgerContract.RULES)
    void theOneWhoProbesEndsToo(Point point, boolean acted) {
        ProtocolClient first = process();
        Runnable end = () -> first.ledger().halt("around the effect");
        ProtocolClient halting = acted ? first.afterEffect(end) : first.beforeEffect(end);
        assertThatThrownBy(() -> halting.run(staged(false))).isInstanceOf(Halted.class);
        passLimit();
        ProtocolClient prober = process();
        prober.ledger().halt(point);
        assertThatThrownBy(() -> prober.run(probing(false))).isInstanceOf(Halted.class);
        endsWell();
    }

    static List<Fault> silences() {
        List<Fault> silences = new ArrayList<>();
        for (boolean staged : List.of(false, true)) {
            silences.add(silence(Point.BEFORE_CLAIM, staged, 0, Ending.NO_LEDGER));
            silences.add(silence(Point.AFTER_CLAIM, staged, 0, Ending.NO_LEDGER));
            silences.add(silence(Point.BEFORE_SETTLE, staged, 1, Ending.UNRECORDED));
            silences.add(silence(Point.AFTER_SETTLE, staged, 1, Ending.UNRECORDED));
        }
        silences.add(silence(Point.BEFORE_MARK, true, 0, Ending.STOPPED));
        silences.add(silence(Point.AFTER_MARK, true, 0, Ending.STOPPED));
        return silences;
    }

    private static Fault silence(Point point, boolean staged, int effects, Ending ending) {
        return new Fault(point.name(), staged, client -> client.ledger().fail(point, SENDS), effects, ending);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("silences")
    @Tag(LedgerContract.RULES)
    void theLedgerFallsSilent(Fault silence) {
        ProtocolClient first = process();
        silence.order().accept(first);
        assertThat(first.run(staged(silence.staged())).ending()).isEqualTo(silence.next());
        assertEffects(silence.effects());
        endsWell();
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource(
            value = Point.class,
            names = {"BEFORE_CLAIM", "AFTER_CLAIM", "BEFORE_MARK", "AFTER_MARK", "BEFORE_SETTLE", "AFTER_SETTLE"})
    void anAnswerThatIsLostOnceIsAskedForAgain(Point point) {
        ProtocolClient first = process();
        first.ledger().fail(point);
        assertThat(first.run(staged(true)).ending()).isEqualTo(Ending.DONE);
        assertThat(first.ledger().passed(point)).isEqualTo(2);
        assertThat(entry().state()).isEqualTo(State.COMPLETE);
        endsWell();
    }

    @Test
    void manyProcessesEndInManyWays() {
        for (long seed = 1; seed <= 40; seed++) {
            Random random = new Random(seed);
            for (int i = 0; i < 8; i++) {
                manyWays(random);
                assertThat(world.effects(KEY.key()))
                        .as("effects with seed %d", seed)
                        .isLessThanOrEqualTo(1);
            }
            endsWell();
            assertThat(ledger().forget(entry())).isTrue();
            world.undo(KEY.key());
        }
    }

    private void manyWays(Random random) {
        ProtocolClient client = process();
        Point point = POINTS.get(random.nextInt(POINTS.size()));
        if (random.nextBoolean()) {
            client.ledger().fail(point, 1 + random.nextInt(SENDS));
        } else {
            client.ledger().halt(point);
        }
        try {
            client.run(random.nextBoolean() ? staged(random.nextBoolean()) : probing(random.nextBoolean()));
        } catch (Halted e) {
            assertThat(client.ledger().passed(point)).isPositive();
        }
        if (random.nextInt(3) == 0) {
            passLease();
        } else if (random.nextInt(3) == 0) {
            passLimit();
        }
    }
}
