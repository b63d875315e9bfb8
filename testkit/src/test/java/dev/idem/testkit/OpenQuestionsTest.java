package dev.idem.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.entry.Fingerprints;
import dev.idem.entry.Mark;
import dev.idem.entry.ProcessRef;
import dev.idem.entry.Ticket;
import dev.idem.ledger.Awaitable;
import dev.idem.ledger.Claim;
import dev.idem.ledger.Settled;
import dev.idem.ledger.TakeOver;
import dev.idem.memory.MemoryLedger;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Test;

/** Cases that the rules do not answer as their description asks; each moves into a contract once they do. */
final class OpenQuestionsTest extends LedgerCase {
    @Override
    protected LedgerFixture fixture() {
        return LedgerFixture.of(MemoryLedger::new);
    }

    /** A child counts only while the entry is in progress: an owner that settles as doubtful hides it. */
    @Test
    @Disabled("a doubt that is written down hides the living child")
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

    /** The first answer said "recorded"; the one to the same settle sent again says "refused". */
    @Test
    @Disabled("a late completion whose answer was lost is told that it is stale")
    void aLateCompletionSentAgainIsAnsweredAlready() {
        Ticket doubted = take();
        passLimit();
        takeOverToProbe();
        ledger().settle(doubted, Settlements.completed("1"));
        assertThat(ledger().settle(doubted, Settlements.completed("1"))).isInstanceOf(Settled.Already.class);
    }

    /** The taker knows no identity, the entry forgets the one it had, and a stranger gets the first one's result. */
    @Test
    @Disabled("a take-over without a fingerprint drops the one that was there")
    void aTakeOverWithoutAFingerprintKeepsTheOneThatWasThere() {
        Ticket doubted = take();
        passLimit();
        granted(request(Fingerprints.NONE).withTakeOver(TakeOver.PROBE));
        ledger().settle(doubted, Settlements.completed("\"of the first identity\""));
        assertThat(ledger().claim(request(OTHER_IDENTITY))).isInstanceOf(Claim.Conflict.class);
    }

    /** Only a probe's ticket can know that the doubted attempt has done nothing. */
    @Test
    @Disabled("a ticket that ran it again may clear the doubt of the attempt before it")
    void aVerdictByATicketThatDidNotProbeDoesNotLaunderTheDoubt() {
        take();
        passLease();
        ledger().settle(takeOver(), Settlements.notExecuted());
        assertThat(ledger().claim(request())).isInstanceOf(Claim.InDoubt.class);
    }

    /** It may run again for as long as it is kept; then, for as long as the tombstone is, it may not. */
    @Test
    @Disabled("a failure that was not kept leaves a tombstone which forbids what was allowed before")
    void aFailureThatMayRunAgainLeavesNoTombstone() {
        ledger().settle(take(), Settlements.failed(Settlements.DAY_AND_TOMBSTONE));
        pass(Settlements.DAY.keep());
        assertThat(ledger().claim(request())).isInstanceOf(Claim.Granted.class);
    }

    /** The time of the doubt is that of whoever looks. */
    @Test
    @Disabled("a lapse is dated by the one who looks, not by the end of the lease")
    void aLapseHasOneDate() {
        take();
        passLease();
        var first = entry().doubt();
        pass(LEASE);
        assertThat(entry().doubt()).isEqualTo(first);
    }

    @Test
    @Disabled("closing one of two watches with the same wake twice ends the other")
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
