package dev.idem.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Address;
import dev.idem.Entry;
import dev.idem.State;
import dev.idem.spi.Claim;
import dev.idem.spi.ClaimRequest;
import dev.idem.spi.Ledger;
import dev.idem.spi.Mark;
import dev.idem.spi.Retention;
import dev.idem.spi.Settled;
import dev.idem.spi.Settlement;
import dev.idem.spi.TakeOver;
import dev.idem.spi.Ticket;
import dev.idem.spi.browse.Browsable;
import dev.idem.testkit.LedgerCase;
import dev.idem.testkit.Race;
import dev.idem.testkit.Settlements;
import dev.idem.testkit.Thorough;
import dev.idem.testkit.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Concurrent steps: the answers match some order of single steps. */
abstract class ConcurrencyContract extends LedgerCase {
    private static final int THREADS = 16;
    private static final int ROUNDS = Thorough.times(8, 25);

    private static Address address(int round) {
        return new Address("race", "charge", "round-" + round);
    }

    private static void eachRound(Consumer<Address> race) {
        for (int round = 0; round < ROUNDS; round++) {
            race.accept(address(round));
        }
    }

    /** Prepares every round before time passes for all of them at once. */
    private List<Ticket> taken(Function<Address, ClaimRequest> claim, Duration then) {
        List<Ticket> tickets = new ArrayList<>();
        eachRound(address -> tickets.add(granted(claim.apply(address)).ticket()));
        pass(then);
        return tickets;
    }

    private void onlyOneIsGranted(List<Claim> answers, Class<? extends Claim> others) {
        assertThat(answers).filteredOn(Claim.Granted.class::isInstance).hasSize(1);
        assertThat(answers).filteredOn(others::isInstance).hasSize(answers.size() - 1);
    }

    private Callable<Claim> claiming(Ledger ledger, ClaimRequest request) {
        return () -> ledger.claim(request);
    }

    private List<Claim> raceOf(int claimants, Address address, TakeOver takeOver) {
        return raceOf(List.of(ledger()), claimants, address, takeOver);
    }

    private List<Claim> raceOf(List<Ledger> ledgers, int claimants, Address address, TakeOver takeOver) {
        List<Callable<Claim>> race = new ArrayList<>();
        for (int i = 0; i < claimants; i++) {
            race.add(claiming(ledgers.get(i % ledgers.size()), request(address).withTakeOver(takeOver)));
        }
        return Race.between(race);
    }

    private static <T> T first(List<?> answers, Class<T> kind) {
        return kind.cast(answers.get(0));
    }

    @Test
    void oneOfManyGetsTheKey() {
        eachRound(address -> onlyOneIsGranted(raceOf(2 * THREADS, address, TakeOver.NONE), Claim.InFlight.class));
    }

    @Test
    void oneOfManyGetsTheKeyThroughTwoHandles() {
        List<Ledger> handles = List.of(ledger(), another());
        eachRound(address -> onlyOneIsGranted(raceOf(handles, THREADS, address, TakeOver.NONE), Claim.InFlight.class));
    }

    @Test
    void oneOfManyGetsAFailedKey() {
        eachRound(address -> {
            ledger().settle(take(address), Settlements.failed());
            onlyOneIsGranted(raceOf(THREADS, address, TakeOver.NONE), Claim.InFlight.class);
            assertThat(entry(address).attempt()).isEqualTo(2);
        });
    }

    @Test
    void oneOfManyGetsAnExpiredKey() {
        taken(this::request, Duration.ZERO).forEach(ticket -> ledger().settle(ticket, Settlements.completed("1")));
        pass(Settlements.DAY.keep());
        eachRound(address -> onlyOneIsGranted(raceOf(THREADS, address, TakeOver.NONE), Claim.InFlight.class));
    }

    @Test
    void oneOfManyTakesOver() {
        taken(this::request, LEASE);
        eachRound(address -> onlyOneIsGranted(raceOf(THREADS, address, TakeOver.RERUN), Claim.InFlight.class));
    }

    @Test
    void oneOfManyProbes() {
        taken(this::request, LIMIT);
        eachRound(address -> onlyOneIsGranted(raceOf(THREADS, address, TakeOver.PROBE), Claim.InFlight.class));
    }

    @Test
    void theSameAttemptSentManyTimesIsOneGrant() {
        eachRound(address -> {
            ClaimRequest request = request(address);
            List<Claim> answers = Race.of(THREADS, () -> ledger().claim(request));
            assertThat(answers).allMatch(Claim.Granted.class::isInstance);
            assertThat(answers)
                    .extracting(claim -> claim.entry().fence())
                    .containsOnly(entry(address).fence());
        });
    }

    @Test
    void everyKeyRunsOnceWhenAllRunAll() {
        World world = new World();
        List<Callable<Integer>> runners = new ArrayList<>();
        for (int runner = 0; runner < THREADS / 2; runner++) {
            List<Integer> order = new ArrayList<>();
            for (int key = 0; key < 40; key++) {
                order.add(key);
            }
            Collections.shuffle(order, new Random(runner));
            runners.add(() -> {
                order.forEach(key -> runOnce(address(key), world));
                return order.size();
            });
        }
        Race.between(runners);
        assertThat(world.effects()).isEqualTo(40);
        assertThat(world.repeated()).isEmpty();
    }

    private void runOnce(Address address, World world) {
        if (ledger().claim(request(address)) instanceof Claim.Granted granted) {
            String receipt = world.act(address.key());
            ledger().settle(granted.ticket(), Settlements.completed("\"" + receipt + "\""));
        }
    }

    @Test
    void aSettleAmongClaimsIsSeenWholeOrNotAtAll() {
        Settlement.Completed how = Settlements.completed("{\"charged\":4200}");
        eachRound(address -> {
            Ticket ticket = take(address);
            List<Callable<Object>> race = new ArrayList<>();
            race.add(() -> ledger().settle(ticket, how));
            for (int i = 1; i < THREADS; i++) {
                ClaimRequest request = request(address);
                race.add(() -> ledger().claim(request));
            }
            List<Object> answers = Race.between(race);
            assertThat(answers.get(0)).isInstanceOf(Settled.Recorded.class);
            assertThat(answers.subList(1, THREADS)).allSatisfy(answer -> {
                assertThat(answer).isInstanceOfAny(Claim.InFlight.class, Claim.Replay.class);
                if (answer instanceof Claim.Replay replay) {
                    assertThat(replay.entry().settlement()).isEqualTo(how);
                }
            });
            assertThat(ledger().claim(request(address))).isInstanceOf(Claim.Replay.class);
        });
    }

    @Test
    void oneOfManySettlesCounts() {
        eachRound(address -> {
            Ticket ticket = take(address);
            List<Callable<Settled>> race = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                Settlement how = i % 2 == 0 ? Settlements.completed("" + i) : Settlements.failed();
                race.add(() -> ledger().settle(ticket, how));
            }
            List<Settled> answers = Race.between(race);
            Entry entry = entry(address);
            assertThat(answers).filteredOn(Settled.Recorded.class::isInstance).hasSize(1);
            assertThat(answers).filteredOn(Settled.Already.class::isInstance).hasSize(THREADS - 1);
            assertThat(answers).allSatisfy(answer -> {
                Entry told = answer instanceof Settled.Recorded recorded
                        ? recorded.entry()
                        : ((Settled.Already) answer).entry();
                assertThat(told).isEqualTo(entry);
            });
        });
    }

    @Test
    void aLateSettleAndATakeOverExcludeEachOther() {
        for (Ticket ticket : taken(this::request, LEASE)) {
            ClaimRequest taker = request(ticket.address()).withTakeOver(TakeOver.RERUN);
            List<Object> answers = Race.between(
                    List.of(() -> ledger().settle(ticket, Settlements.completed("1")), () -> ledger().claim(taker)));
            boolean settled = answers.get(0) instanceof Settled.Recorded;
            assertThat(answers.get(1)).isInstanceOf(settled ? Claim.Replay.class : Claim.Granted.class);
            assertThat(entry(ticket.address()).state()).isEqualTo(settled ? State.COMPLETE : State.IN_PROGRESS);
        }
    }

    @Test
    void aLateCompletionAndAVerdictExcludeEachOther() {
        for (Ticket ticket : taken(this::request, LIMIT)) {
            Ticket prober = granted(request(ticket.address()).withTakeOver(TakeOver.PROBE))
                    .ticket();
            List<Settled> answers = Race.between(List.of(
                    () -> ledger().settle(ticket, Settlements.completed("1")),
                    () -> ledger().settle(prober, Settlements.notExecuted())));
            boolean late = answers.get(0) instanceof Settled.Recorded;
            assertThat(answers.get(1)).isInstanceOf(late ? Settled.Already.class : Settled.Recorded.class);
            assertThat(entry(ticket.address()).state()).isEqualTo(late ? State.COMPLETE : State.FAILED);
        }
    }

    @Test
    void aLateHeartbeatAndATakeOverExcludeEachOther() {
        for (Ticket ticket : taken(this::request, LEASE)) {
            ClaimRequest taker = request(ticket.address()).withTakeOver(TakeOver.RERUN);
            List<Object> answers =
                    Race.between(List.of(() -> ledger().renew(ticket, LEASE), () -> ledger().claim(taker)));
            boolean renewed = first(answers, Boolean.class);
            assertThat(answers.get(1)).isInstanceOf(renewed ? Claim.InFlight.class : Claim.Granted.class);
        }
    }

    @Test
    void aLateMarkAndAFreshClaimExcludeEachOther() {
        for (Ticket ticket : taken(address -> request(address).withStaged(true), LEASE)) {
            ClaimRequest other = request(ticket.address()).withStaged(true);
            List<Object> answers = Race.between(
                    List.of(() -> ledger().mark(ticket, Mark.of("charging")), () -> ledger().claim(other)));
            boolean marked = first(answers, Boolean.class);
            assertThat(answers.get(1)).isInstanceOf(marked ? Claim.InDoubt.class : Claim.Granted.class);
        }
    }

    @Test
    void noMarkIsLostAmongHeartbeats() {
        eachRound(address -> {
            Ticket ticket = granted(request(address).withStaged(true)).ticket();
            List<Callable<Boolean>> race = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                Mark mark = Mark.of("mark-" + i);
                race.add(i % 2 == 0 ? () -> ledger().mark(ticket, mark) : () -> ledger().renew(ticket, LEASE));
            }
            assertThat(Race.between(race)).containsOnly(true);
            assertThat(entry(address).tenure().marks()).hasSize(THREADS / 2).doesNotHaveDuplicates();
        });
    }

    @Test
    void aForgetAndAClaimFollowOneAnother() {
        eachRound(address -> {
            Ticket ticket = take(address);
            ledger().settle(ticket, Settlements.failed());
            Entry seen = entry(address);
            ClaimRequest other = request(address);
            List<Object> answers = Race.between(List.of(() -> ledger().forget(seen), () -> ledger().claim(other)));
            Entry granted = answer(Claim.Granted.class, answers.get(1)).entry();
            boolean forgotten = first(answers, Boolean.class);
            assertThat(granted.attempt())
                    .as("the attempt of the claim, where the forget " + (forgotten ? "came first" : "came too late"))
                    .isEqualTo(forgotten ? 1 : 2);
            assertThat(granted.fence())
                    .as("the fence of the claim is higher than that of the forgotten entry")
                    .isGreaterThan(ticket.fence());
            assertThat(entry(address))
                    .as("the entry after both is that of the claim")
                    .isEqualTo(granted);
        });
    }

    @Test
    void oneOfManyForgetsCounts() {
        eachRound(address -> {
            Ticket ticket = take(address);
            ledger().settle(ticket, Settlements.completed("1"));
            Entry seen = entry(address);
            assertThat(Race.of(THREADS, () -> ledger().forget(seen))).containsOnlyOnce(true);
        });
    }

    @Test
    void aResolveAndATakeOverExcludeEachOther() {
        for (Ticket ticket : taken(this::request, LEASE)) {
            ClaimRequest taker = request(ticket.address()).withTakeOver(TakeOver.RERUN);
            List<Object> answers = Race.between(List.of(
                    () -> ledger().resolve(ticket.address(), ticket.fence(), Settlements.completed("1")),
                    () -> ledger().claim(taker)));
            boolean resolved = first(answers, Boolean.class);
            assertThat(answers.get(1)).isInstanceOf(resolved ? Claim.Replay.class : Claim.Granted.class);
        }
    }

    @Test
    void aPurgeTakesNothingThatIsClaimedMeanwhile() {
        Browsable browsable = capability(Browsable.class);
        eachRound(address -> ledger().settle(take(address), Settlements.failed(Retention.of(Duration.ofSeconds(1)))));
        pass(Duration.ofSeconds(1));
        List<Callable<Integer>> race = new ArrayList<>();
        race.add(() -> {
            int purged = 0;
            for (int i = 0; i < ROUNDS; i++) {
                purged += browsable.purge(2);
            }
            return purged;
        });
        race.add(() -> {
            eachRound(this::take);
            return ROUNDS;
        });
        Race.between(race);
        eachRound(address -> assertThat(entry(address).state()).isEqualTo(State.IN_PROGRESS));
    }

    @Test
    void fencesOfOneKeyOnlyGrow() {
        Address address = address(0);
        List<List<Long>> seen = Race.of(8, () -> {
            List<Long> fences = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                if (ledger().claim(request(address)) instanceof Claim.Granted granted) {
                    fences.add(granted.ticket().fence().number());
                    Settled settled = ledger().settle(
                                    granted.ticket(), i % 2 == 0 ? Settlements.failed() : Settlements.completed("1"));
                    ledger().forget(answer(Settled.Recorded.class, settled).entry());
                }
            }
            return fences;
        });
        seen.forEach(fences -> assertRising(fences, "each grant has a higher fence than the grant before"));
        List<Long> all = seen.stream().flatMap(List::stream).sorted().toList();
        assertRising(all, "no two grants have the same fence");
    }

    /** Shows only the first pair that does not rise: there are hundreds of fences. */
    private static void assertRising(List<Long> fences, String rule) {
        for (int i = 1; i < fences.size(); i++) {
            assertThat(fences.get(i)).as(rule).isGreaterThan(fences.get(i - 1));
        }
    }
}
