package dev.idem.testkit.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.Address;
import dev.idem.Entry;
import dev.idem.LedgerUnavailableException;
import dev.idem.LedgerUnreadableException;
import dev.idem.State;
import dev.idem.spi.AttemptId;
import dev.idem.spi.Claim;
import dev.idem.spi.ClaimRequest;
import dev.idem.spi.Fingerprints;
import dev.idem.spi.Ledger;
import dev.idem.spi.Mark;
import dev.idem.spi.Owner;
import dev.idem.spi.Settled;
import dev.idem.spi.Settlement;
import dev.idem.spi.TakeOver;
import dev.idem.spi.Ticket;
import dev.idem.spi.browse.Browsable;
import dev.idem.spi.store.StoreLedger;
import dev.idem.testkit.Race;
import dev.idem.testkit.SettableClocks;
import dev.idem.testkit.SettableProcesses;
import dev.idem.testkit.Settlements;
import dev.idem.testkit.World;
import dev.idem.testkit.store.FaultyStore.Fault;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Answers that are lost, doubled or late change nothing, and each step takes the round trips that it is said to take. */
class StoreFaultsTest {
    private static final Address KEY = new Address("shop", "charge", "order-1");

    private final MapStore.Table table = new MapStore.Table();
    private final SettableClocks clocks = new SettableClocks();
    private final SettableProcesses processes = new SettableProcesses();
    private final MapStore map = new MapStore(table, clocks);
    private final StoreLedger healthy = new StoreLedger(map, processes);
    private final AtomicLong attempts = new AtomicLong();

    private ClaimRequest request() {
        return request(KEY);
    }

    private ClaimRequest request(Address at) {
        return ClaimRequest.of(
                new AttemptId(1, attempts.incrementAndGet()), at, Fingerprints.NONE, Owner.named("tester"));
    }

    private static Ticket granted(Claim claim) {
        assertThat(claim).isInstanceOf(Claim.Granted.class);
        return claim.entry().ticket();
    }

    private Entry entry() {
        return healthy.find(KEY).orElseThrow();
    }

    /** Asks again until there is an answer, as the engine does. */
    private static <A> A asked(Supplier<A> call) {
        while (true) {
            try {
                return call.get();
            } catch (LedgerUnavailableException e) {
                // Sent again with the same attempt id or ticket.
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Fault.class)
    void aFirstClaimIsGrantedOnce(Fault fault) {
        FaultyStore store = FaultyStore.of(map, fault);
        StoreLedger ledger = new StoreLedger(store, processes);
        ClaimRequest request = request();
        Ticket ticket = granted(asked(() -> ledger.claim(request)));
        store.deliver();
        assertThat(entry().ticket()).isEqualTo(ticket);
        assertThat(entry().attempt()).isEqualTo(1);
        assertThat(healthy.claim(request())).isInstanceOf(Claim.InFlight.class);
        assertThat(ledger.settle(ticket, Settlements.completed("1"))).isInstanceOf(Settled.Recorded.class);
    }

    @ParameterizedTest
    @EnumSource(Fault.class)
    void aTakeOverIsGrantedOnce(Fault fault) {
        granted(healthy.claim(request()));
        clocks.advance(Duration.ofMinutes(1));
        FaultyStore store = FaultyStore.of(map, Fault.NONE, fault);
        StoreLedger ledger = new StoreLedger(store, processes);
        ClaimRequest request = request().withTakeOver(TakeOver.RERUN);
        Ticket ticket = granted(asked(() -> ledger.claim(request)));
        store.deliver();
        assertThat(entry().ticket()).isEqualTo(ticket);
        assertThat(entry().attempt()).isEqualTo(2);
        assertThat(ledger.settle(ticket, Settlements.completed("1"))).isInstanceOf(Settled.Recorded.class);
    }

    @ParameterizedTest
    @EnumSource(Fault.class)
    void aSettlementIsRecordedOnce(Fault fault) {
        FaultyStore store = FaultyStore.of(map, Fault.NONE, fault);
        StoreLedger ledger = new StoreLedger(store, processes);
        Ticket ticket = granted(ledger.claim(request()));
        Settlement how = Settlements.completed("\"receipt\"");
        Settled settled = asked(() -> ledger.settle(ticket, how));
        store.deliver();
        assertThat(settled).isNotInstanceOf(Settled.Stale.class);
        assertThat(entry().settlement()).isEqualTo(how);
        assertThat(ledger.settle(ticket, Settlements.failed())).isInstanceOf(Settled.Already.class);
        assertThat(entry().state()).isEqualTo(State.COMPLETE);
    }

    /** The second try was told that somebody else had been faster. */
    @ParameterizedTest
    @EnumSource(Fault.class)
    void aResolveThatWasCarriedOutIsToldSo(Fault fault) {
        healthy.settle(granted(healthy.claim(request())), Settlements.doubtful());
        Entry doubted = entry();
        FaultyStore store = FaultyStore.of(map, Fault.NONE, fault);
        StoreLedger ledger = new StoreLedger(store, processes);
        Settlement how = Settlements.completed("\"receipt\"");
        assertThat(asked(() -> ledger.resolve(KEY, doubted.fence(), how))).isTrue();
        store.deliver();
        assertThat(entry().settlement()).isEqualTo(how);
        assertThat(ledger.resolve(KEY, doubted.fence(), how)).as("once more").isFalse();
    }

    @ParameterizedTest
    @EnumSource(Fault.class)
    void aForgetThatWasCarriedOutIsToldSo(Fault fault) {
        healthy.settle(granted(healthy.claim(request())), Settlements.completed("1"));
        Entry seen = entry();
        FaultyStore store = FaultyStore.of(map, Fault.NONE, fault);
        StoreLedger ledger = new StoreLedger(store, processes);
        assertThat(asked(() -> ledger.forget(seen))).isTrue();
        store.deliver();
        assertThat(healthy.find(KEY)).isEmpty();
        assertThat(ledger.forget(seen)).as("once more").isFalse();
    }

    @Test
    void aResolveIsKnownToHaveBeenCarriedOutAlsoWhenTheStoreWasGoneForAWhile() {
        healthy.settle(granted(healthy.claim(request())), Settlements.doubtful());
        Entry doubted = entry();
        FaultyStore store = FaultyStore.of(map, Fault.NONE, Fault.ANSWER_LOST, Fault.NOT_SENT, Fault.NOT_SENT);
        StoreLedger ledger = new StoreLedger(store, processes);
        assertThat(asked(() -> ledger.resolve(KEY, doubted.fence(), Settlements.completed("1"))))
                .isTrue();
    }

    /** Only the request whose answer was lost is known again: the other one has not been carried out. */
    @Test
    void anotherResolveAfterALostAnswerIsToldThatItCameLate() {
        healthy.settle(granted(healthy.claim(request())), Settlements.doubtful());
        Entry doubted = entry();
        FaultyStore store = FaultyStore.of(map, Fault.NONE, Fault.ANSWER_LOST, Fault.NOT_SENT);
        StoreLedger ledger = new StoreLedger(store, processes);
        assertThatThrownBy(() -> ledger.resolve(KEY, doubted.fence(), Settlements.completed("1")))
                .isInstanceOf(LedgerUnavailableException.class);
        assertThat(ledger.resolve(KEY, doubted.fence(), Settlements.failed())).isFalse();
        assertThat(entry().state()).isEqualTo(State.COMPLETE);
    }

    @Test
    void anInsertThatComesLateBringsBackNothing() {
        FaultyStore store = FaultyStore.of(map, Fault.DELAYED);
        StoreLedger ledger = new StoreLedger(store, processes);
        ClaimRequest request = request();
        assertThatThrownBy(() -> ledger.claim(request)).isInstanceOf(LedgerUnavailableException.class);
        Ticket other = granted(healthy.claim(request()));
        healthy.settle(other, Settlements.completed("1"));
        healthy.forget(entry());
        store.deliver();
        assertThat(healthy.find(KEY))
                .as("the forgotten row is still in the way")
                .isEmpty();
        assertThat(granted(healthy.claim(request())).fence()).isGreaterThan(other.fence());
    }

    @Test
    void aSettlementThatComesLateIsRefused() {
        FaultyStore store = FaultyStore.of(map, Fault.NONE, Fault.DELAYED);
        StoreLedger ledger = new StoreLedger(store, processes);
        Ticket first = granted(ledger.claim(request()));
        assertThatThrownBy(() -> ledger.settle(first, Settlements.failed()))
                .isInstanceOf(LedgerUnavailableException.class);
        clocks.advance(Duration.ofMinutes(1));
        Ticket taker = granted(healthy.claim(request().withTakeOver(TakeOver.RERUN)));
        store.deliver();
        assertThat(entry().ticket()).isEqualTo(taker);
        assertThat(entry().state()).isEqualTo(State.IN_PROGRESS);
        assertThat(ledger.settle(first, Settlements.completed("1"))).isInstanceOf(Settled.Stale.class);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void whateverGoesWrongEachKeyRunsOnce(long seed) {
        World world = new World();
        List<Callable<Integer>> runners = new ArrayList<>();
        for (int runner = 0; runner < 4; runner++) {
            Random random = new Random(seed * 100 + runner);
            FaultyStore store = new FaultyStore(
                    map,
                    () -> random.nextInt(3) > 0 ? Fault.NONE : Fault.values()[random.nextInt(Fault.values().length)]);
            StoreLedger ledger = new StoreLedger(store, processes);
            runners.add(() -> {
                for (int turn = 0; turn < 200; turn++) {
                    runOnce(ledger, random, world);
                    if (random.nextInt(4) == 0) {
                        store.deliver();
                    }
                }
                return 0;
            });
        }
        Race.between(runners);
        assertThat(world.repeated()).isEmpty();
        assertThat(world.effects()).isPositive();
    }

    private void runOnce(Ledger ledger, Random random, World world) {
        Address at = new Address("shop", "charge", "key-" + random.nextInt(20));
        ClaimRequest request = request(at).withStaged(true);
        Claim claim = asked(() -> ledger.claim(request));
        if (claim instanceof Claim.Replay replay) {
            assertThat(replay.entry().settlement())
                    .isEqualTo(
                            Settlements.completed("\"" + world.lookUp(at.key()).orElseThrow() + "\""));
        }
        if (!(claim instanceof Claim.Granted)) {
            return;
        }
        Ticket ticket = claim.entry().ticket();
        if (random.nextBoolean()) {
            if (asked(() -> ledger.settle(ticket, Settlements.failed())) instanceof Settled.Stale stale) {
                // The failure was recorded, its answer was lost, and another runner has begun since.
                assertThat(stale.entry().fence()).isGreaterThan(ticket.fence());
            }
            return;
        }
        assertThat(asked(() -> ledger.mark(ticket, Mark.of("charging")))).isTrue();
        String receipt = world.act(at.key());
        assertThat(asked(() -> ledger.settle(ticket, Settlements.completed("\"" + receipt + "\""))))
                .isNotInstanceOf(Settled.Stale.class);
    }

    @Test
    void aForgottenEntryLeavesItsTrailAndNothingElse() {
        Ticket ticket = granted(healthy.claim(request().withLabels(Map.of("customer", "ann"))));
        healthy.settle(ticket, Settlements.completed("\"secret\""));
        healthy.forget(entry());
        String document = new String(table.rows.get(KEY).document(), StandardCharsets.UTF_8);
        assertThat(document).contains("forgotten").doesNotContain("customer").doesNotContain("secret");
        assertThat(healthy.trail(KEY)).hasSize(3);
    }

    @Test
    void anEntryThatCanNotBeReadKeepsNoOtherFromBeingPurged() {
        Address other = KEY.withOperation("refund");
        for (Address at : List.of(KEY, other)) {
            healthy.settle(granted(healthy.claim(request(at))), Settlements.completed("1"));
        }
        table.rows.computeIfPresent(KEY, (at, row) -> MapStore.damaged(row));
        clocks.advance(Duration.ofDays(30));
        assertThat(healthy.as(Browsable.class).orElseThrow().purge(10)).isEqualTo(1);
        assertThat(table.rows).containsOnlyKeys(KEY);
        assertThatThrownBy(() -> healthy.claim(request())).isInstanceOf(LedgerUnreadableException.class);
    }

    /** A page of damaged rows that stay was read again and again, and no purge went beyond it. */
    @Test
    void manyEntriesThatCanNotBeReadKeepNoOtherFromBeingPurged() {
        for (int i = 0; i < 151; i++) {
            Address at = KEY.withOperation("op-" + i);
            healthy.settle(granted(healthy.claim(request(at))), Settlements.completed("1"));
            if (i < 150) {
                table.rows.computeIfPresent(at, (same, row) -> MapStore.damaged(row));
            }
        }
        clocks.advance(Duration.ofDays(30));
        assertThat(healthy.as(Browsable.class).orElseThrow().purge(10)).isEqualTo(1);
        assertThat(table.rows).hasSize(150);
    }

    @Test
    void aStepTakesTheRoundTripsThatItIsSaidToTake() {
        FaultyStore store = FaultyStore.of(map);
        StoreLedger ledger = new StoreLedger(store, processes);
        Ticket ticket = granted(ledger.claim(request().withStaged(true)));
        assertThat(store.calls()).as("first grant").containsExactly("insert");
        ledger.claim(request());
        assertThat(store.calls()).as("in flight").containsExactly("insert");
        ledger.mark(ticket, Mark.of("charging"));
        assertThat(store.calls()).as("mark").containsExactly("replace");
        ledger.renew(ticket, Duration.ofSeconds(30));
        assertThat(store.calls()).as("heartbeat").containsExactly("renew");
        ledger.settle(ticket, Settlements.failed());
        assertThat(store.calls()).as("settle, after a mark and a heartbeat").containsExactly("replace");
        Ticket again = granted(ledger.claim(request()));
        assertThat(store.calls()).as("grant after a failure").containsExactly("insert", "replace");
        ledger.settle(again, Settlements.doubtful());
        store.calls();
        ledger.claim(request());
        assertThat(store.calls()).as("in doubt").containsExactly("insert");
        Ticket taker = granted(ledger.claim(request().withTakeOver(TakeOver.RERUN)));
        assertThat(store.calls()).as("take-over").containsExactly("insert", "replace");
        ledger.settle(taker, Settlements.completed("1"));
        assertThat(store.calls()).as("settle of the taker").containsExactly("replace");
        ledger.claim(request());
        assertThat(store.calls()).as("replay").containsExactly("insert");
        ledger.settle(ticket, Settlements.completed("1"));
        assertThat(store.calls()).as("settle by an older ticket").containsExactly("read");
        ledger.settle(taker, Settlements.completed("1"));
        assertThat(store.calls()).as("settle again").containsExactly("read", "confirm");
        ledger.forget(entry());
        assertThat(store.calls()).as("forget").containsExactly("read", "replace");
    }
}
