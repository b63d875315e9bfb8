package dev.idem.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.spi.Awaitable;
import dev.idem.spi.Claim;
import dev.idem.spi.Fingerprints;
import dev.idem.spi.Mark;
import dev.idem.spi.ProcessRef;
import dev.idem.spi.Settled;
import dev.idem.spi.TakeOver;
import dev.idem.spi.Ticket;
import dev.idem.testkit.LedgerCase;
import dev.idem.testkit.Settlements;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Cases where two rules meet: a ledger that follows each of them alone may still get these wrong. */
@Tag(LedgerContract.RULES)
abstract class CornerContract extends LedgerCase {
    /** The owner's settle does not end a child process that still runs. */
    @Test
    void aLivingChildKeepsTheKeyInFlightThoughItsOwnerIsInDoubt() {
        ProcessRef child = processes().start();
        Ticket ticket = granted(request().withStaged(true)).ticket();
        ledger().mark(ticket, new Mark("charging", child));
        ledger().settle(ticket, Settlements.doubtful());
        passLimit();
        for (TakeOver takeOver : TakeOver.values()) {
            assertThat(ledger().claim(request().withTakeOver(takeOver))).isInstanceOf(Claim.InFlight.class);
        }
    }

    /** The first settle was recorded; the same settle sent again must not be refused. */
    @Test
    void aLateCompletionSentAgainIsAnsweredAlready() {
        Ticket doubted = take();
        passLimit();
        takeOverToProbe();
        ledger().settle(doubted, Settlements.completed("1"));
        assertThat(ledger().settle(doubted, Settlements.completed("1"))).isInstanceOf(Settled.Already.class);
    }

    /** Otherwise a call with another identity would get the first one's result. */
    @Test
    void aTakeOverWithoutAFingerprintKeepsTheOneThatWasThere() {
        Ticket doubted = take();
        passLimit();
        granted(request(Fingerprints.NONE).withTakeOver(TakeOver.PROBE));
        ledger().settle(doubted, Settlements.completed("\"of the first identity\""));
        assertThat(ledger().claim(request(OTHER_IDENTITY))).isInstanceOf(Claim.Conflict.class);
    }

    /** Only a probe's ticket can know that the doubted attempt has done nothing. */
    @Test
    void aVerdictByATicketThatDidNotProbeDoesNotLaunderTheDoubt() {
        take();
        passLease();
        ledger().settle(takeOver(), Settlements.notExecuted());
        assertThat(ledger().claim(request())).isInstanceOf(Claim.InDoubt.class);
    }

    /** The operation may run again while the failure is kept; a tombstone would forbid it later. */
    @Test
    void aFailureThatMayRunAgainLeavesNoTombstone() {
        ledger().settle(take(), Settlements.failed(Settlements.DAY_AND_TOMBSTONE));
        pass(Settlements.DAY.keep());
        assertThat(ledger().claim(request())).isInstanceOf(Claim.Granted.class);
    }

    /** The doubt begins at the end of the lease, at every read. */
    @Test
    void aLapseHasOneDate() {
        take();
        passLease();
        var first = entry().doubt();
        pass(LEASE);
        assertThat(entry().doubt()).isEqualTo(first);
    }

    @Test
    void aWatchClosedTwiceLeavesTheOthers() {
        AtomicInteger woken = new AtomicInteger();
        Runnable wake = woken::incrementAndGet;
        Awaitable awaitable = capability(Awaitable.class);
        Awaitable.Watch first = awaitable.watch(KEY, wake);
        try (Awaitable.Watch second = awaitable.watch(KEY, wake)) {
            assertThat(second).isNotNull();
            first.close();
            first.close();
            take();
        }
        assertThat(woken.get()).isPositive();
    }
}
