package dev.idem.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Entry;
import dev.idem.State;
import dev.idem.spi.Claim;
import dev.idem.spi.GroupRenewing;
import dev.idem.spi.GroupRenewing.Unrenewed;
import dev.idem.spi.Ledger;
import dev.idem.spi.Mark;
import dev.idem.spi.Owner;
import dev.idem.spi.ProcessRef;
import dev.idem.spi.Settled;
import dev.idem.spi.TakeOver;
import dev.idem.spi.Ticket;
import dev.idem.testkit.LedgerCase;
import dev.idem.testkit.SettableProcesses;
import dev.idem.testkit.Settlements;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** The liveness of owners: leases, heartbeats, stepped clocks, dead owners and living children. */
abstract class LeaseContract extends LedgerCase {
    private static final Duration MOMENT = Duration.ofMillis(1);

    private State state() {
        return entry().state();
    }

    private Entry staged(Owner owner) {
        return granted(request(owner).withStaged(true));
    }

    @Test
    void aLeaseLastsAsLongAsItSays() {
        take();
        pass(LEASE.minus(MOMENT));
        assertThat(state()).isEqualTo(State.IN_PROGRESS);
        pass(MOMENT);
        assertThat(state()).isEqualTo(State.IN_DOUBT);
    }

    @Test
    void aLapseIsSeenWithoutAnybodyWritingItDown() {
        Entry granted = granted(request());
        passLease();
        Entry lapsed = entry();
        assertThat(lapsed.doubt()).isNotNull();
        assertThat(lapsed.fence()).isEqualTo(granted.fence());
        assertThatAllOf(lapsed).ignoringFields("state", "doubt").isEqualTo(granted);
    }

    @Test
    void aHeartbeatProlongsTheLeaseFromNow() {
        Ticket ticket = take();
        pass(Duration.ofSeconds(20));
        assertThat(ledger().renew(ticket, LEASE)).isTrue();
        pass(LEASE.minus(MOMENT));
        assertThat(state()).isEqualTo(State.IN_PROGRESS);
        pass(MOMENT);
        assertThat(state()).isEqualTo(State.IN_DOUBT);
    }

    @Test
    void aHeartbeatMayShortenTheLease() {
        Ticket ticket = take();
        assertThat(ledger().renew(ticket, Duration.ofSeconds(2))).isTrue();
        pass(Duration.ofSeconds(2));
        assertThat(state()).isEqualTo(State.IN_DOUBT);
    }

    @Test
    void aHeartbeatChangesNothingButTheLease() {
        Entry granted = granted(request().withStaged(true));
        ledger().mark(granted.ticket(), Mark.of("charging"));
        Entry marked = entry();
        ledger().renew(granted.ticket(), LEASE.multipliedBy(2));
        assertThatAllOf(entry()).ignoringFields("tenure.lease").isEqualTo(marked);
    }

    @Test
    void waitingProlongsNoLease() {
        take();
        pass(Duration.ofSeconds(20));
        assertThat(ledger().claim(request())).isInstanceOf(Claim.InFlight.class);
        pass(Duration.ofSeconds(10));
        assertThat(state()).isEqualTo(State.IN_DOUBT);
    }

    @Test
    void aLateHeartbeatRevivesATicketThatNobodyTook() {
        Ticket ticket = take();
        passLease();
        assertThat(ledger().renew(ticket, LEASE)).isTrue();
        assertThat(state()).isEqualTo(State.IN_PROGRESS);
        assertThat(entry().doubt()).isNull();
    }

    @Test
    void aHeartbeatAfterATakeOverIsRefused() {
        Ticket stale = take();
        passLease();
        Ticket taker = takeOver();
        Entry before = entry();
        assertThat(ledger().renew(stale, LEASE.multipliedBy(9))).isFalse();
        assertThatAllOf(entry()).isEqualTo(before);
        assertThat(ledger().renew(taker, LEASE)).isTrue();
    }

    @Test
    void aHeartbeatOfTheDoubtedOwnerWhileTheTakerProbesIsRefused() {
        Ticket stale = take();
        passLimit();
        takeOverToProbe();
        assertThat(ledger().renew(stale, LEASE)).isFalse();
    }

    @Test
    void aHeartbeatAfterTheEndIsRefused() {
        for (var how : List.of(
                Settlements.completed("1"), Settlements.failed(), Settlements.notExecuted(), Settlements.doubtful())) {
            Ticket ticket = take(KEY.withOperation(how.getClass().getSimpleName()));
            ledger().settle(ticket, how);
            Entry before = entry(ticket.address());
            assertThat(ledger().renew(ticket, LEASE)).as("after %s", how).isFalse();
            assertThatAllOf(entry(ticket.address())).isEqualTo(before);
        }
    }

    @Test
    void aHeartbeatForNothingIsRefused() {
        Ticket ticket = take();
        assertThat(ledger().renew(new Ticket(KEY.withOperation("refund"), ticket.fence()), LEASE))
                .isFalse();
        assertThat(ledger().find(KEY.withOperation("refund"))).isEmpty();
    }

    @Test
    void manyHeartbeatsInOneStepNameTheLost() {
        GroupRenewing renewing = capability(GroupRenewing.class);
        Ticket alive = take();
        Ticket lost = take(KEY.withOperation("refund"));
        ledger().settle(lost, Settlements.completed("1"));
        Ticket never = new Ticket(KEY.withOperation("never"), lost.fence());
        pass(Duration.ofSeconds(20));
        Unrenewed unrenewed = renewing.renewAll(Map.of(alive, LEASE, lost, LEASE, never, LEASE));
        assertThat(unrenewed.lost()).containsExactlyInAnyOrder(lost, never);
        assertThat(unrenewed.unanswered()).isEmpty();
        pass(Duration.ofSeconds(20));
        assertThat(state()).isEqualTo(State.IN_PROGRESS);
        assertThat(renewing.renewAll(Map.of()).lost()).isEmpty();
    }

    @Test
    void aWallClockSteppedForwardLapsesNoLease() {
        take();
        monotonicClocks().stepWall(Duration.ofDays(30));
        assertThat(state()).isEqualTo(State.IN_PROGRESS);
        assertThat(ledger().claim(request())).isInstanceOf(Claim.InFlight.class);
    }

    @Test
    void aWallClockSteppedBackProlongsNoLease() {
        take();
        monotonicClocks().stepWall(Duration.ofDays(-30));
        passLease();
        assertThat(state()).isEqualTo(State.IN_DOUBT);
    }

    @Test
    void anotherBootJudgesTheLeaseByTheWall() {
        take();
        monotonicClocks().reboot();
        assertThat(state()).isEqualTo(State.IN_PROGRESS);
        passLease();
        assertThat(state()).isEqualTo(State.IN_DOUBT);
    }

    @Test
    void aDeadOwnerIsInDoubtAtOnce() {
        Owner owner = processes().startOwner();
        granted(request(owner));
        assertThat(state()).isEqualTo(State.IN_PROGRESS);
        processes().kill(owner);
        assertThat(state()).isEqualTo(State.IN_DOUBT);
        assertThat(ledger().claim(request())).isInstanceOf(Claim.InDoubt.class);
        takeOver();
    }

    /** The entry was read in progress; then it was settled; then its owner was found dead. */
    @Test
    void anOwnerThatSettlesAndEndsWhileItIsLookedAtLeavesNoDoubt() {
        SettableProcesses processes = processes();
        Ledger elsewhere = another();
        Owner owner = processes.startOwner();
        Ticket ticket = granted(request(owner)).ticket();
        // Makes a ledger that reads before it locks do so.
        assertThat(elsewhere.claim(request())).isInstanceOf(Claim.InFlight.class);
        AtomicBoolean meanwhile = new AtomicBoolean();
        CompletableFuture<Ticket> ended = new CompletableFuture<>();
        var settled = ended.thenApplyAsync(done -> ledger().settle(done, Settlements.completed("1")));
        processes.beforeTheNextLook(() -> {
            ended.complete(ticket);
            meanwhile.set(isSoon(settled));
            processes.kill(owner);
        });

        Claim claim = elsewhere.claim(request());

        // A ledger that reads under its lock has kept the owner from settling.
        assertThat(claim).isInstanceOf(meanwhile.get() ? Claim.Replay.class : Claim.InDoubt.class);
        assertThat(settled.join()).isInstanceOf(Settled.Recorded.class);
    }

    private static boolean isSoon(Future<?> something) {
        try {
            something.get(1, TimeUnit.SECONDS);
            return true;
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            return false;
        }
    }

    @Test
    void aLivingOwnerWithoutHeartbeatsIsInDoubt() {
        granted(request(processes().startOwner()));
        passLease();
        assertThat(state()).isEqualTo(State.IN_DOUBT);
    }

    @Test
    void anOwnerThatCannotBeLookedUpIsJudgedByItsLease() {
        granted(request(new Owner("far away", processes().elsewhere())));
        pass(LEASE.minus(MOMENT));
        assertThat(state()).isEqualTo(State.IN_PROGRESS);
        pass(MOMENT);
        assertThat(state()).isEqualTo(State.IN_DOUBT);
    }

    @Test
    void aLivingChildKeepsTheKeyInFlightBeyondTheLease() {
        ProcessRef child = processes().start();
        Entry entry = staged(processes().startOwner());
        assertThat(ledger().mark(entry.ticket(), new Mark("charging", child))).isTrue();
        passLease();
        Claim.InFlight inFlight = answer(Claim.InFlight.class, ledger().claim(request()));
        assertThat(inFlight.leaseLeft()).isZero();
        assertThat(state()).isEqualTo(State.IN_PROGRESS);
    }

    @Test
    void aLivingChildKeepsTheKeyInFlightWhenItsOwnerIsDead() {
        ProcessRef child = processes().start();
        Owner owner = processes().startOwner();
        Entry entry = staged(owner);
        ledger().mark(entry.ticket(), new Mark("charging", child));
        processes().kill(owner);
        passLimit();
        for (var takeOver : TakeOver.values()) {
            assertThat(ledger().claim(request().withTakeOver(takeOver))).isInstanceOf(Claim.InFlight.class);
        }
        assertThat(ledger().resolve(KEY, entry.fence(), Settlements.failed())).isFalse();
        assertThat(ledger().forget(entry)).isFalse();
        processes().kill(child);
        assertThat(state()).isEqualTo(State.IN_DOUBT);
    }

    /** The owner stopped waiting for its child and settled as in doubt; a rerun could run beside the child. */
    @Test
    void aLivingChildKeepsTheKeyInFlightWhenItsOwnerIsInDoubt() {
        ProcessRef child = processes().start();
        Entry entry = staged(processes().startOwner());
        ledger().mark(entry.ticket(), new Mark("charging", child));
        ledger().settle(entry.ticket(), Settlements.doubtful());
        passLimit();
        for (var takeOver : TakeOver.values()) {
            Claim.InFlight inFlight =
                    answer(Claim.InFlight.class, ledger().claim(request().withTakeOver(takeOver)));
            assertThat(inFlight.leaseLeft()).isZero();
        }
        assertThat(state()).isEqualTo(State.IN_DOUBT);
        processes().kill(child);
        takeOver();
    }

    @Test
    void aMarkAfterTheChildsDoesNotHideTheChild() {
        ProcessRef child = processes().start();
        Entry entry = staged(processes().startOwner());
        ledger().mark(entry.ticket(), new Mark("charging", child));
        ledger().mark(entry.ticket(), Mark.of("printing"));
        passLease();
        assertThat(state()).isEqualTo(State.IN_PROGRESS);
    }

    @Test
    void aChildThatCannotBeLookedUpKeepsNothing() {
        Entry entry = staged(processes().startOwner());
        ledger().mark(entry.ticket(), new Mark("charging", processes().elsewhere()));
        passLease();
        assertThat(state()).isEqualTo(State.IN_DOUBT);
    }

    @Test
    void aDeadChildDoesNotEndALivingOwner() {
        ProcessRef child = processes().start();
        Entry entry = staged(processes().startOwner());
        ledger().mark(entry.ticket(), new Mark("charging", child));
        processes().kill(child);
        assertThat(state()).isEqualTo(State.IN_PROGRESS);
    }
}
