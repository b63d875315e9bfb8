package dev.idem.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Entry;
import dev.idem.State;
import dev.idem.spi.Claim;
import dev.idem.spi.Fence;
import dev.idem.spi.Settlement;
import dev.idem.spi.Ticket;
import dev.idem.spi.browse.Browsable;
import dev.idem.testkit.LedgerCase;
import dev.idem.testkit.Settlements;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The fence of an address grows with every grant and never falls. It guards forget and resolve; forget is also guarded
 * by the state that the caller has seen.
 */
abstract class FenceContract extends LedgerCase {
    private Entry settled(Settlement how) {
        ledger().settle(take(), how);
        return entry();
    }

    private void nextFenceIsAbove(Entry before) {
        assertThat(take().fence()).isGreaterThan(before.fence());
    }

    /** An entry that readers see in doubt, although its owner is only late. */
    private Entry seenInDoubt(Ticket late) {
        passLease();
        Entry seen = entry();
        assertThat(seen.state()).isEqualTo(State.IN_DOUBT);
        assertThat(seen.ticket()).isEqualTo(late);
        return seen;
    }

    @Test
    void growsAfterAFailure() {
        nextFenceIsAbove(settled(Settlements.failed()));
    }

    @Test
    void growsWithEveryTakeOver() {
        Fence first = take().fence();
        passLease();
        Fence second = takeOver().fence();
        passLimit();
        Fence third = takeOverToProbe().fence();
        assertThat(second).isGreaterThan(first);
        assertThat(third).isGreaterThan(second);
    }

    @Test
    void growsAfterAForget() {
        Entry settled = settled(Settlements.completed("1"));
        assertThat(ledger().forget(settled)).isTrue();
        nextFenceIsAbove(settled);
    }

    @Test
    void growsAfterTwoForgets() {
        Entry first = settled(Settlements.completed("1"));
        ledger().forget(first);
        Entry second = settled(Settlements.completed("1"));
        ledger().forget(second);
        assertThat(second.fence()).isGreaterThan(first.fence());
        nextFenceIsAbove(second);
    }

    @Test
    void growsAfterExpiry() {
        Entry settled = settled(Settlements.completed("1"));
        pass(Settlements.DAY.keep());
        nextFenceIsAbove(settled);
    }

    @Test
    void growsAfterAPurge() {
        Entry settled = settled(Settlements.completed("1"));
        pass(Settlements.DAY.keep());
        capability(Browsable.class).purge(100);
        nextFenceIsAbove(settled);
    }

    @Test
    void growsWhenTheClockStepsBack() {
        Entry settled = settled(Settlements.failed());
        clocks().stepWall(Duration.ofDays(-365));
        nextFenceIsAbove(settled);
    }

    @Test
    void growsAfterAForgetWhenTheClockStepsBack() {
        Entry settled = settled(Settlements.completed("1"));
        ledger().forget(settled);
        clocks().stepWall(Duration.ofDays(-365));
        nextFenceIsAbove(settled);
    }

    @Test
    void growsWhenTheLedgerIsOpenedAgain() {
        Entry settled = settled(Settlements.failed());
        reopen();
        nextFenceIsAbove(settled);
    }

    @Test
    void growsAfterAForgetWhenTheLedgerIsOpenedAgain() {
        Entry settled = settled(Settlements.completed("1"));
        ledger().forget(settled);
        reopen();
        nextFenceIsAbove(settled);
    }

    @Test
    void growsAfterAPurgeWhenTheLedgerIsOpenedAgain() {
        Entry settled = settled(Settlements.completed("1"));
        pass(Settlements.DAY.keep());
        capability(Browsable.class).purge(100);
        reopen();
        nextFenceIsAbove(settled);
    }

    @Test
    void growsWithAResolve() {
        Fence doubted = settled(Settlements.doubtful()).fence();
        assertThat(ledger().resolve(KEY, doubted, Settlements.failed())).isTrue();
        Entry resolved = entry();
        assertThat(resolved.fence()).isGreaterThan(doubted);
        nextFenceIsAbove(resolved);
    }

    @Test
    void forgetIsRefusedWhileATicketLives() {
        take();
        assertThat(ledger().forget(entry())).isFalse();
        assertThat(entry().state()).isEqualTo(State.IN_PROGRESS);
    }

    @Test
    void forgetIsRefusedWithAnotherFence() {
        for (Settlement how : List.of(Settlements.completed("1"), Settlements.failed())) {
            Entry first = settled(how);
            assertThat(ledger().forget(first)).isTrue();
            Entry second = settled(how);
            assertThat(ledger().forget(first)).as("after %s", how).isFalse();
            assertThat(entry()).isEqualTo(second);
            assertThat(ledger().forget(second)).isTrue();
        }
    }

    @Test
    void forgetIsRefusedWhereThereIsNothing() {
        Entry seen = settled(Settlements.completed("1"));
        assertThat(ledger().forget(seen)).isTrue();
        assertThat(ledger().forget(seen)).isFalse();
        assertThat(ledger().find(KEY)).isEmpty();
    }

    @Test
    void forgetIsRefusedForWhatHasExpired() {
        Entry seen = settled(Settlements.completed("1"));
        pass(Settlements.DAY.keep());
        assertThat(ledger().forget(seen)).isFalse();
    }

    @Test
    void forgetRemovesAnEntryInAnyStateButInProgress() {
        for (Settlement how : List.of(
                Settlements.completed("1"), Settlements.failed(), Settlements.notExecuted(), Settlements.doubtful())) {
            assertThat(ledger().forget(settled(how))).as("after %s", how).isTrue();
            assertThat(ledger().find(KEY)).isEmpty();
        }
    }

    @Test
    void forgetRemovesALapsedEntry() {
        Entry taken = granted(request());
        passLease();
        assertThat(ledger().forget(taken)).isTrue();
        assertThat(granted(request()).attempt()).isEqualTo(1);
    }

    @Test
    void forgetRemovesATombstone() {
        Entry complete = settled(Settlements.completed("1", Settlements.DAY_AND_TOMBSTONE));
        pass(Settlements.DAY.keep());
        Entry tombstone = entry();
        assertThat(tombstone.state()).isEqualTo(State.EXPIRED);
        assertThat(ledger().forget(tombstone)).isTrue();
        nextFenceIsAbove(complete);
    }

    @Test
    void forgetRemovesTheTombstoneOfACompletionThatWasSeen() {
        Entry complete = settled(Settlements.completed("1", Settlements.DAY_AND_TOMBSTONE));
        pass(Settlements.DAY.keep());
        assertThat(ledger().forget(complete)).isTrue();
        nextFenceIsAbove(complete);
    }

    /** A reader saw a doubt and found out that nothing had happened; then the owner woke up and acted. */
    @Test
    void forgetIsRefusedForACompletionThatWasNotSeen() {
        Ticket late = take();
        Entry seen = seenInDoubt(late);
        ledger().settle(late, Settlements.completed("1"));
        assertThat(ledger().forget(seen)).isFalse();
        assertThat(entry().settlement()).isEqualTo(Settlements.completed("1"));
        assertThat(ledger().claim(request())).isInstanceOf(Claim.Replay.class);
        assertThat(ledger().forget(entry())).isTrue();
    }

    @Test
    void forgetIsRefusedForACompletionOfWhatWasToldToBeInDoubt() {
        Ticket late = take();
        ledger().settle(late, Settlements.doubtful());
        Entry seen = entry();
        ledger().settle(late, Settlements.completed("1"));
        assertThat(ledger().forget(seen)).isFalse();
        assertThat(entry().state()).isEqualTo(State.COMPLETE);
    }

    @Test
    void forgetIsRefusedForACompletionOfWhatWasSeenInProgress() {
        Entry seen = granted(request());
        ledger().settle(seen.ticket(), Settlements.completed("1"));
        assertThat(ledger().forget(seen)).isFalse();
        assertThat(entry().state()).isEqualTo(State.COMPLETE);
    }

    @Test
    void forgetIsRefusedForTheTombstoneOfACompletionThatWasNotSeen() {
        Ticket late = take();
        Entry seen = seenInDoubt(late);
        ledger().settle(late, Settlements.completed("1", Settlements.DAY_AND_TOMBSTONE));
        pass(Settlements.DAY.keep());
        assertThat(ledger().forget(seen)).isFalse();
        ledger().as(Browsable.class).ifPresent(browsable -> browsable.purge(100));
        assertThat(ledger().forget(seen)).isFalse();
        assertThat(entry().state()).isEqualTo(State.EXPIRED);
    }

    /** The entry seemed to have lapsed before it acted; then the owner woke up and perhaps acted. */
    @Test
    void forgetIsRefusedForADoubtOfWhatWasSeenToHaveDoneNothing() {
        Ticket late = granted(request().withStaged(true)).ticket();
        passLease();
        Entry seen = entry();
        assertThat(seen.state()).isEqualTo(State.FAILED);
        ledger().settle(late, Settlements.doubtful());

        assertThat(ledger().forget(seen)).isFalse();

        assertThat(entry().state()).isEqualTo(State.IN_DOUBT);
        assertThat(ledger().forget(entry())).isTrue();
    }

    /** Nothing happened; the reader had seen the worse state. */
    @Test
    void forgetRemovesAFailureOfWhatWasSeenInDoubt() {
        Ticket late = take();
        Entry seen = seenInDoubt(late);
        ledger().settle(late, Settlements.failedForGood());
        assertThat(entry().state()).isEqualTo(State.FAILED);
        assertThat(ledger().forget(seen)).isTrue();
        assertThat(ledger().find(KEY)).isEmpty();
    }

    @Test
    void forgetRemovesTheTombstoneOfAFailureOfWhatWasSeenInDoubt() {
        Ticket late = take();
        Entry seen = seenInDoubt(late);
        ledger().settle(
                        late,
                        new Settlement.Failed(
                                Settlements.failedForGood().failure(), true, Settlements.DAY_AND_TOMBSTONE));
        pass(Settlements.DAY.keep());
        assertThat(entry().state()).isEqualTo(State.EXPIRED);
        assertThat(ledger().forget(seen)).isTrue();
        assertThat(ledger().find(KEY)).isEmpty();
    }

    @Test
    void resolveIsRefusedWhereThereIsNothingToResolve() {
        assertThat(ledger().resolve(KEY, new Fence(1), Settlements.failed())).isFalse();
        Ticket ticket = take();
        assertThat(ledger().resolve(KEY, ticket.fence(), Settlements.failed())).isFalse();
        assertThat(entry().state()).isEqualTo(State.IN_PROGRESS);
        ledger().settle(ticket, Settlements.completed("1", Settlements.DAY_AND_TOMBSTONE));
        assertThat(ledger().resolve(KEY, ticket.fence(), Settlements.failed())).isFalse();
        assertThat(entry().state()).isEqualTo(State.COMPLETE);
        pass(Settlements.DAY.keep());
        assertThat(ledger().resolve(KEY, ticket.fence(), Settlements.failed())).isFalse();
        assertThat(entry().state()).isEqualTo(State.EXPIRED);
    }

    /** A reader saw a doubt; meanwhile the owner has recorded a failure that answers all later callers. */
    @Test
    void resolveDoesNotFreeAFailureThatIsKept() {
        Ticket ticket = take();
        passLease();
        Fence looked = entry().fence();
        ledger().settle(ticket, Settlements.failedForGood());
        assertThat(ledger().resolve(KEY, looked, Settlements.notExecuted())).isFalse();
        assertThat(ledger().resolve(KEY, looked, Settlements.failed())).isFalse();
        assertThat(entry().settlement()).isEqualTo(Settlements.failedForGood());
        assertThat(ledger().claim(request())).isInstanceOf(Claim.ReplayedFailure.class);
    }

    @Test
    void resolveAsFailedIsRefusedWhereItHasFailed() {
        Fence fence = settled(Settlements.failed()).fence();
        assertThat(ledger().resolve(KEY, fence, Settlements.notExecuted())).isFalse();
        assertThat(ledger().resolve(KEY, fence, Settlements.failed())).isFalse();
        assertThat(entry().fence()).isEqualTo(fence);
    }

    @Test
    void resolveAsCompleteIsHeardWhereItHasFailed() {
        Fence fence = settled(Settlements.failedForGood()).fence();
        assertThat(ledger().resolve(KEY, fence, Settlements.completed("1"))).isTrue();
        assertThat(entry().state()).isEqualTo(State.COMPLETE);
        assertThat(entry().fence()).isGreaterThan(fence);
    }

    @Test
    void resolveIsRefusedWithAnotherFence() {
        Fence fence = settled(Settlements.doubtful()).fence();
        assertThat(ledger().resolve(KEY, new Fence(fence.number() + 1), Settlements.failed()))
                .isFalse();
        assertThat(entry().state()).isEqualTo(State.IN_DOUBT);
    }

    @Test
    void resolveIsRefusedWhileAProbeIsUnderWay() {
        Ticket doubted = take();
        passLimit();
        Ticket prober = takeOverToProbe();
        assertThat(ledger().resolve(KEY, doubted.fence(), Settlements.failed())).isFalse();
        assertThat(ledger().resolve(KEY, prober.fence(), Settlements.failed())).isFalse();
    }

    @Test
    void resolveTwiceWithTheSameFenceIsRefused() {
        Fence fence = settled(Settlements.doubtful()).fence();
        assertThat(ledger().resolve(KEY, fence, Settlements.failed())).isTrue();
        assertThat(ledger().resolve(KEY, fence, Settlements.completed("1"))).isFalse();
        assertThat(entry().state()).isEqualTo(State.FAILED);
    }

    @Test
    void resolveClearsTheDoubtOfALapsedEntry() {
        Ticket ticket = take();
        passLease();
        assertThat(ledger().resolve(KEY, ticket.fence(), Settlements.completed("\"told\"")))
                .isTrue();
        assertThat(entry().state()).isEqualTo(State.COMPLETE);
        assertThat(entry().doubt()).isNull();
        assertThat(entry().settlement()).isEqualTo(Settlements.completed("\"told\""));
        assertThat(entry().attempt()).isEqualTo(1);
        assertThat(entry().times().expires()).isEqualTo(clocks().now().wall().plus(Settlements.DAY.keep()));
    }

    @Test
    void resolveAsDoubtfulKeepsTheDoubt() {
        Fence fence = settled(Settlements.doubtful()).fence();
        var doubt = entry().doubt();
        assertThat(ledger().resolve(KEY, fence, Settlements.doubtful())).isTrue();
        assertThat(entry().state()).isEqualTo(State.IN_DOUBT);
        assertThat(entry().doubt()).isEqualTo(doubt);
    }
}
