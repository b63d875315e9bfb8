package dev.idem.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.entry.Fence;
import dev.idem.entry.Settlement;
import dev.idem.entry.State;
import dev.idem.entry.Ticket;
import dev.idem.ledger.Browsable;
import dev.idem.ledger.Claim;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The fence grows with every grant for an address and never goes back; forget and resolve are guarded by it. */
public abstract class FenceContract extends LedgerCase {
    private Fence settled(Settlement how) {
        Ticket ticket = take();
        ledger().settle(ticket, how);
        return ticket.fence();
    }

    private void nextFenceIsAbove(Fence fence) {
        assertThat(take().fence()).isGreaterThan(fence);
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
        Fence fence = settled(Settlements.completed("1"));
        assertThat(ledger().forget(KEY, fence)).isTrue();
        nextFenceIsAbove(fence);
    }

    @Test
    void growsAfterTwoForgets() {
        Fence first = settled(Settlements.completed("1"));
        ledger().forget(KEY, first);
        Fence second = settled(Settlements.completed("1"));
        ledger().forget(KEY, second);
        assertThat(second).isGreaterThan(first);
        nextFenceIsAbove(second);
    }

    @Test
    void growsAfterExpiry() {
        Fence fence = settled(Settlements.completed("1"));
        pass(Settlements.DAY.keep());
        nextFenceIsAbove(fence);
    }

    @Test
    void growsAfterAPurge() {
        Fence fence = settled(Settlements.completed("1"));
        pass(Settlements.DAY.keep());
        capability(Browsable.class).purge(100);
        nextFenceIsAbove(fence);
    }

    @Test
    void growsWhenTheClockStepsBack() {
        Fence fence = settled(Settlements.failed());
        clocks().stepWall(Duration.ofDays(-365));
        nextFenceIsAbove(fence);
    }

    @Test
    void growsAfterAForgetWhenTheClockStepsBack() {
        Fence fence = settled(Settlements.completed("1"));
        ledger().forget(KEY, fence);
        clocks().stepWall(Duration.ofDays(-365));
        nextFenceIsAbove(fence);
    }

    @Test
    void growsWhenTheLedgerIsOpenedAgain() {
        Fence fence = settled(Settlements.failed());
        reopen();
        nextFenceIsAbove(fence);
    }

    @Test
    void growsAfterAForgetWhenTheLedgerIsOpenedAgain() {
        Fence fence = settled(Settlements.completed("1"));
        ledger().forget(KEY, fence);
        reopen();
        nextFenceIsAbove(fence);
    }

    @Test
    void growsAfterAPurgeWhenTheLedgerIsOpenedAgain() {
        Fence fence = settled(Settlements.completed("1"));
        pass(Settlements.DAY.keep());
        capability(Browsable.class).purge(100);
        reopen();
        nextFenceIsAbove(fence);
    }

    @Test
    void growsWithAResolve() {
        Fence doubted = settled(Settlements.doubtful());
        assertThat(ledger().resolve(KEY, doubted, Settlements.failed())).isTrue();
        Fence resolved = entry().fence();
        assertThat(resolved).isGreaterThan(doubted);
        nextFenceIsAbove(resolved);
    }

    @Test
    void forgetIsRefusedWhileATicketLives() {
        Ticket ticket = take();
        assertThat(ledger().forget(KEY, ticket.fence())).isFalse();
        assertThat(entry().state()).isEqualTo(State.IN_PROGRESS);
    }

    @Test
    void forgetIsRefusedWithAnotherFence() {
        Fence first = settled(Settlements.failed());
        Fence second = settled(Settlements.completed("1"));
        assertThat(ledger().forget(KEY, first)).isFalse();
        assertThat(ledger().forget(KEY, new Fence(second.number() + 1))).isFalse();
        assertThat(entry().state()).isEqualTo(State.COMPLETE);
    }

    @Test
    void forgetIsRefusedWhereThereIsNothing() {
        assertThat(ledger().forget(KEY, new Fence(1))).isFalse();
        Fence fence = settled(Settlements.completed("1"));
        assertThat(ledger().forget(KEY, fence)).isTrue();
        assertThat(ledger().forget(KEY, fence)).isFalse();
    }

    @Test
    void forgetIsRefusedForWhatHasExpired() {
        Fence fence = settled(Settlements.completed("1"));
        pass(Settlements.DAY.keep());
        assertThat(ledger().forget(KEY, fence)).isFalse();
    }

    @Test
    void forgetRemovesAnEntryInAnyStateButInProgress() {
        for (Settlement how : List.of(
                Settlements.completed("1"), Settlements.failed(), Settlements.notExecuted(), Settlements.doubtful())) {
            Fence fence = settled(how);
            assertThat(ledger().forget(KEY, fence)).as("after %s", how).isTrue();
            assertThat(ledger().find(KEY)).isEmpty();
        }
    }

    @Test
    void forgetRemovesALapsedEntry() {
        Ticket ticket = take();
        passLease();
        assertThat(ledger().forget(KEY, ticket.fence())).isTrue();
        assertThat(granted(request()).attempt()).isEqualTo(1);
    }

    @Test
    void forgetRemovesATombstone() {
        Fence fence = settled(Settlements.completed("1", Settlements.DAY_AND_TOMBSTONE));
        pass(Settlements.DAY.keep());
        assertThat(ledger().forget(KEY, fence)).isTrue();
        nextFenceIsAbove(fence);
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

    /** Whoever looked saw a doubt; its owner has said meanwhile that nothing happened, and callers were told to stay away. */
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
        Fence fence = settled(Settlements.failed());
        assertThat(ledger().resolve(KEY, fence, Settlements.notExecuted())).isFalse();
        assertThat(ledger().resolve(KEY, fence, Settlements.failed())).isFalse();
        assertThat(entry().fence()).isEqualTo(fence);
    }

    @Test
    void resolveAsCompleteIsHeardWhereItHasFailed() {
        Fence fence = settled(Settlements.failedForGood());
        assertThat(ledger().resolve(KEY, fence, Settlements.completed("1"))).isTrue();
        assertThat(entry().state()).isEqualTo(State.COMPLETE);
        assertThat(entry().fence()).isGreaterThan(fence);
    }

    @Test
    void resolveIsRefusedWithAnotherFence() {
        Fence fence = settled(Settlements.doubtful());
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
        Fence fence = settled(Settlements.doubtful());
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
        Fence fence = settled(Settlements.doubtful());
        var doubt = entry().doubt();
        assertThat(ledger().resolve(KEY, fence, Settlements.doubtful())).isTrue();
        assertThat(entry().state()).isEqualTo(State.IN_DOUBT);
        assertThat(entry().doubt()).isEqualTo(doubt);
    }
}
