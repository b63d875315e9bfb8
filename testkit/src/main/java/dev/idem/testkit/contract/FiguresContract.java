package dev.idem.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.idem.Address;
import dev.idem.Entry;
import dev.idem.Idem;
import dev.idem.Operation;
import dev.idem.Policy;
import dev.idem.State;
import dev.idem.spi.Claim;
import dev.idem.spi.Ledger;
import dev.idem.spi.Mark;
import dev.idem.spi.Retention;
import dev.idem.spi.Settlement;
import dev.idem.spi.TakeOver;
import dev.idem.spi.Ticket;
import dev.idem.spi.browse.Browsable;
import dev.idem.spi.browse.Figures;
import dev.idem.spi.browse.Figures.Kind;
import dev.idem.spi.browse.Match;
import dev.idem.spi.browse.Query;
import dev.idem.testkit.LedgerCase;
import dev.idem.testkit.Settlements;
import dev.idem.testkit.Thorough;
import dev.idem.testkit.Until;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Predicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Counting tries and duplicates by the hour: a ledger is exact, says from when on it is, or says that it can't count. */
abstract class FiguresContract extends LedgerCase {
    private static final Duration DAY = Duration.ofDays(1);
    private static final Duration WEEK = Duration.ofDays(7);
    private static final Retention KEPT = Retention.of(WEEK);

    /** What happened, told by the caller. */
    private static final class Truth {
        final Address at;
        final Instant began;
        Kind kind;
        long millis = -1;

        Truth(Address at, Instant began, Kind kind) {
            this.at = at;
            this.began = began;
            this.kind = kind;
        }

        Figures.Count counted() {
            return new Figures.Count(began.truncatedTo(ChronoUnit.HOURS), at.operation(), kind, 1);
        }
    }

    private final List<Truth> truth = new ArrayList<>();
    private final Map<Ticket, Truth> running = new HashMap<>();
    private final Random random = new Random(7302);

    private Query last(Duration age) {
        return Query.all().withAge(null, age);
    }

    private Figures figures(Query query) {
        Figures figures = capability(Browsable.class).figures(query).orElse(null);
        assumeTrue(figures != null, "this ledger counts no tries, and says so");
        return figures;
    }

    private Instant now() {
        return clocks().now().wall();
    }

    @Test
    void figuresAreThoseOfWhatHappened() {
        figures(last(DAY));
        Ledger other = another();
        for (int i = 0; i < Thorough.times(250, 1000); i++) {
            pass(Duration.ofMillis(random.nextInt(1_800_000)));
            step(random.nextBoolean() ? ledger() : other);
        }
        other.as(Browsable.class).orElseThrow().writeCounts();
        List.of(DAY, WEEK, Duration.ofHours(3), Duration.ZERO).forEach(age -> {
            assertExact(last(age), at -> true);
            assertExact(last(age).withOperation("mail"), at -> at.operation().equals("mail"));
            assertExact(last(age).withScope("shop"), at -> at.scope().equals("shop"));
            assertExact(
                    last(age).withScopes(List.of(Match.prefix("shop/"), Match.exactly("none"))),
                    at -> at.scope().startsWith("shop/"));
        });
    }

    private void step(Ledger ledger) {
        Address at = new Address(
                List.of("shop", "shop/a", "shop/b").get(random.nextInt(3)),
                List.of("charge", "mail").get(random.nextInt(2)),
                "key-" + random.nextInt(12));
        Claim claim = ledger.claim(request(at).withTakeOver(random.nextInt(3) == 0 ? TakeOver.RERUN : TakeOver.NONE));
        if (claim instanceof Claim.Granted granted) {
            Truth one = new Truth(at, now(), Kind.IN_PROGRESS);
            truth.add(one);
            running.put(granted.entry().ticket(), one);
            if (random.nextInt(4) == 0) {
                ledger.mark(granted.entry().ticket(), Mark.of("charging"));
            }
            if (random.nextInt(5) > 0) {
                pass(Duration.ofMillis(random.nextInt(20_000)));
                settle(ledger, granted.entry().ticket(), one);
            }
        } else if (claim instanceof Claim.Replay) {
            truth.add(new Truth(at, now(), Kind.DUPLICATE));
        } else if (claim instanceof Claim.InDoubt && random.nextBoolean()) {
            // A person's word is no try.
            ledger.resolve(
                    at,
                    claim.entry().fence(),
                    random.nextBoolean() ? Settlements.completed("1") : Settlements.failed());
        }
        if (random.nextInt(20) == 0) {
            ledger.find(at).filter(entry -> entry.state() != State.IN_PROGRESS).ifPresent(ledger::forget);
        }
        if (random.nextInt(20) == 0) {
            ledger.as(Browsable.class).orElseThrow().purge(100);
        }
    }

    private void settle(Ledger ledger, Ticket ticket, Truth one) {
        Retention keep = Retention.of(Duration.ofHours(1 + random.nextInt(20)))
                .withTombstone(Duration.ofMinutes(random.nextInt(2) * 90L));
        int how = random.nextInt(6);
        Settlement settlement = how < 3
                ? Settlements.completed("1", keep)
                : how < 5 ? Settlements.failed(keep) : Settlements.doubtful();
        ledger.settle(ticket, settlement);
        running.remove(ticket);
        State state = ledger.find(ticket.address()).map(Entry::state).orElseThrow();
        one.kind = Kind.ofWord(state.word());
        one.millis =
                state == State.COMPLETE ? Duration.between(one.began, now()).toMillis() : -1;
    }

    private void assertExact(Query query, Predicate<Address> wanted) {
        Figures figures = figures(query);
        Instant since = now().minus(query.newerThan()).truncatedTo(ChronoUnit.HOURS);
        assertThat(figures.since()).isEqualTo(since);
        assertThat(figures.from()).as("nothing is missing").isNull();
        running.forEach(
                (ticket, one) -> one.kind = one.began.plus(LEASE).isAfter(now()) ? Kind.IN_PROGRESS : Kind.IN_DOUBT);
        Map<Object, Long> expected = new HashMap<>();
        truth.stream()
                .filter(one -> wanted.test(one.at) && !one.began.isBefore(since))
                .forEach(one -> {
                    expected.merge(one.counted(), 1L, Long::sum);
                    if (one.millis >= 0) {
                        expected.merge(new Figures.Took(one.at.operation(), one.millis, 1), 1L, Long::sum);
                    }
                });
        Map<Object, Long> counted = new HashMap<>();
        figures.counts()
                .forEach(each -> counted.merge(
                        new Figures.Count(each.hour(), each.operation(), each.kind(), 1), each.count(), Long::sum));
        figures.took()
                .forEach(each ->
                        counted.merge(new Figures.Took(each.operation(), each.millis(), 1), each.count(), Long::sum));
        assertThat(counted).as("%s", query).containsExactlyInAnyOrderEntriesOf(expected);
    }

    @Test
    void manyEntriesAreCountedExactly() {
        figures(last(DAY));
        int many = Thorough.times(1500, 200_000);
        long apart = Duration.ofDays(9).toMillis() / many;
        for (int i = 0; i < many; i++) {
            if (i % 5 == 0) {
                pass(Duration.ofMillis(1 + random.nextLong(10 * apart)));
            }
            Address at = new Address("shop/" + i % 40, random.nextInt(3) == 0 ? "mail" : "charge", "key-" + i);
            for (int tries = random.nextInt(8) == 0 ? 3 : 1; tries > 0; tries--) {
                Truth one = new Truth(at, now(), Kind.IN_PROGRESS);
                truth.add(one);
                Ticket ticket = take(at);
                if (i % 7 == 0) {
                    pass(Duration.ofMillis(random.nextInt(2000)));
                }
                ledger().settle(
                                ticket,
                                tries > 1
                                        ? Settlements.failed()
                                        : i % 50 == 0 ? Settlements.doubtful() : Settlements.completed("1", KEPT));
                one.kind = tries > 1 ? Kind.FAILED : i % 50 == 0 ? Kind.IN_DOUBT : Kind.COMPLETE;
                one.millis = one.kind == Kind.COMPLETE
                        ? Duration.between(one.began, now()).toMillis()
                        : -1;
            }
            if (i % 4 == 1 && i % 50 != 0) {
                answer(Claim.Replay.class, ledger().claim(request(at)));
                truth.add(new Truth(at, now(), Kind.DUPLICATE));
            }
        }
        assertExact(last(DAY), at -> true);
        assertExact(last(WEEK), at -> true);
        assertExact(last(WEEK).withScope("shop/7"), at -> at.scope().equals("shop/7"));
    }

    /** A decision writes an old row anew, long after its try: the tries between are counted all the same. */
    @Test
    @Tag("proof")
    void manyOldDoubtsThatAreResolvedHideNoTry() {
        figures(last(DAY));
        int many = 1100;
        for (int i = 0; i < many; i++) {
            ledger().settle(take(new Address("old", "charge", "key-" + i)), Settlements.doubtful());
        }
        pass(Duration.ofDays(3));
        complete(300);
        for (int i = 0; i < many; i++) {
            Entry doubt =
                    ledger().find(new Address("old", "charge", "key-" + i)).orElseThrow();
            assertThat(ledger().resolve(doubt.address(), doubt.fence(), Settlements.completed("1", KEPT)))
                    .isTrue();
        }
        assertExact(last(DAY), at -> true);
    }

    private void complete(int many) {
        for (int i = 0; i < many; i++) {
            Truth one = new Truth(new Address("shop", "charge", "key-" + truth.size()), now(), Kind.COMPLETE);
            truth.add(one);
            ledger().settle(take(one.at), Settlements.completed("1", KEPT));
            one.millis = 0;
        }
    }

    /** Fences grow with the time only where the clock does not go back. */
    @Test
    @Tag("proof")
    void aClockThatWasSetBackHidesNoTry() {
        figures(last(DAY));
        complete(300);
        pass(Duration.ofDays(3));
        complete(900);
        clocks().stepWall(Duration.ofHours(-2));
        complete(200);
        pass(Duration.ofMinutes(1530));
        complete(900);
        assertExact(last(DAY), at -> true);
    }

    @Test
    @Tag("proof")
    void manyCallsThatAreForgottenHideNoTry() {
        figures(last(DAY));
        complete(1);
        pass(Duration.ofDays(3));
        complete(950);
        truth.subList(1, 951)
                .forEach(one -> assertThat(ledger().forget(entry(one.at))).isTrue());
        complete(1100);
        assertExact(last(DAY), at -> true);
    }

    /** It waits in its process for the running call, and asks no ledger. */
    @Test
    void aDuplicateThatSharesARunningCallIsCounted() throws InterruptedException {
        figures(last(DAY));
        try (Idem idem = Idem.builder()
                .ledger(ledger())
                .quiet()
                .purgeEvery(Duration.ZERO)
                .open()) {
            Operation<String> charge = idem.operation("charge")
                    .key("k")
                    .policy(Policy.unset().waitFor(Duration.ofMinutes(1)))
                    .returning(String.class);
            Thread sharing = new Thread(() -> charge.run(call -> "never"));
            charge.run(call -> {
                sharing.start();
                Until.isTrue("it waits", () -> sharing.getState() == Thread.State.TIMED_WAITING);
                return "ok";
            });
            sharing.join();
            assertThat(figures(last(DAY)).counts())
                    .extracting(Figures.Count::kind, Figures.Count::count)
                    .containsExactlyInAnyOrder(tuple(Kind.COMPLETE, 1L), tuple(Kind.DUPLICATE, 1L));
        }
    }

    /** A probe and a person end a doubt; the try stays one that ended in doubt. */
    @Test
    void whatAProbeFindsOutIsNoTry() {
        figures(last(DAY));
        ledger().settle(take(), Settlements.doubtful());
        passLimit();
        ledger().settle(takeOverToProbe(), Settlements.completed("1"));
        assertThat(figures(last(DAY)).counts())
                .extracting(Figures.Count::kind, Figures.Count::count)
                .containsExactly(tuple(Kind.IN_DOUBT, 1L));
        assertThat(figures(last(DAY)).took()).isEmpty();
    }

    /** A trail keeps its first and its newest lines. */
    @Test
    void anEntryWithTooManyTriesSaysFromWhenOnItIsTrue() {
        figures(last(DAY));
        Instant middle = null;
        for (int i = 0; i < 260; i++) {
            pass(Duration.ofSeconds(1));
            ledger().settle(take(), Settlements.failed());
            middle = i == 130 ? now() : middle;
        }
        Figures figures = figures(last(DAY));
        assertThat(figures.from()).isNotNull().isBefore(middle);
        assertThat(figures.counts()).allMatch(each -> each.kind() == Kind.FAILED && each.count() < 260);
        // No row tells any more that some are missing.
        pass(Duration.ofHours(25));
        capability(Browsable.class).purge(10);
        assertThat(figures(last(WEEK)).from()).isNotNull().isAfterOrEqualTo(figures.from());
        assertThat(figures(last(WEEK)).counts()).isEqualTo(figures.counts());
    }

    @Test
    void otherFiltersAreNotAnswered() {
        Browsable browsable = capability(Browsable.class);
        for (Query each : List.of(
                last(DAY).withKey("k"),
                last(DAY).withLabels(Map.of("customer", "cus_1")),
                last(DAY).withStates(State.FAILED),
                last(DAY).withAge(Duration.ofHours(1), DAY),
                Query.all())) {
            assertThat(browsable.figures(each)).isEmpty();
        }
    }
}
