package dev.idem.testkit.contract;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Entry;
import dev.idem.State;
import dev.idem.spi.Claim;
import dev.idem.spi.ClaimRequest;
import dev.idem.spi.Doubt;
import dev.idem.spi.Mark;
import dev.idem.spi.Owner;
import dev.idem.spi.Settled;
import dev.idem.spi.TakeOver;
import dev.idem.spi.Ticket;
import dev.idem.testkit.LedgerCase;
import dev.idem.testkit.Settlements;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Unknown outcomes: marks, take-overs, and doubt that stays. */
@Tag(LedgerContract.RULES)
abstract class DoubtContract extends LedgerCase {
    private Ticket staged() {
        return granted(request().withStaged(true)).ticket();
    }

    private Claim.InDoubt inDoubt(ClaimRequest request) {
        return answer(Claim.InDoubt.class, ledger().claim(request));
    }

    @Test
    void aMarkIsKept() {
        Ticket ticket = staged();
        assertThat(ledger().mark(ticket, Mark.of("charging"))).isTrue();
        assertThat(ledger().mark(ticket, Mark.of("printing"))).isTrue();
        assertThat(entry().tenure().marks()).containsExactly(Mark.of("charging"), Mark.of("printing"));
    }

    @Test
    void aMarkChangesNothingElse() {
        Entry before = granted(request().withStaged(true));
        ledger().mark(before.ticket(), Mark.of("charging"));
        assertThatAllOf(entry()).ignoringFields("tenure.marks").isEqualTo(before);
    }

    @Test
    void aMarkOnAnEntryThatIsNotStagedIsRefused() {
        assertThat(ledger().mark(take(), Mark.of("charging"))).isFalse();
        assertThat(entry().tenure().marks()).isEmpty();
    }

    @Test
    void aMarkAfterATakeOverIsRefused() {
        Ticket stale = staged();
        ledger().mark(stale, Mark.of("charging"));
        passLease();
        granted(request().withStaged(true).withTakeOver(TakeOver.RERUN));
        assertThat(ledger().mark(stale, Mark.of("late"))).isFalse();
        assertThat(entry().tenure().marks()).containsExactly(Mark.of("charging"));
    }

    @Test
    void aMarkOfAHarmlessLapseThatWasClaimedAgainIsRefused() {
        Ticket stale = staged();
        passLease();
        granted(request().withStaged(true));
        assertThat(ledger().mark(stale, Mark.of("charging"))).isFalse();
    }

    @Test
    void aMarkWhileProbingIsRefused() {
        ledger().mark(staged(), Mark.of("charging"));
        passLimit();
        Ticket prober =
                granted(request().withStaged(true).withTakeOver(TakeOver.PROBE)).ticket();
        assertThat(ledger().mark(prober, Mark.of("charging again"))).isFalse();
        assertThat(entry().tenure().marks()).containsExactly(Mark.of("charging"));
    }

    @Test
    void aMarkAfterTheEndIsRefused() {
        Ticket ticket = staged();
        ledger().settle(ticket, Settlements.completed("1"));
        assertThat(ledger().mark(ticket, Mark.of("charging"))).isFalse();
        assertThat(entry().tenure().marks()).isEmpty();
    }

    @Test
    void aLateMarkOfALapsedTicketThatNobodyTookIsKept() {
        Ticket ticket = staged();
        passLease();
        assertThat(entry().state()).isEqualTo(State.FAILED);
        assertThat(ledger().mark(ticket, Mark.of("charging"))).isTrue();
        assertThat(entry().state()).isEqualTo(State.IN_DOUBT);
    }

    @Test
    void aHarmlessLapseCountsAsFailedAndRunsAgain() {
        staged();
        passLease();
        assertThat(entry().state()).isEqualTo(State.FAILED);
        Entry again = granted(request());
        assertThat(again.attempt()).isEqualTo(2);
        assertThat(again.doubt()).isNull();
    }

    @Test
    void silenceProvesNothingOnAnEntryThatWasNotStaged() {
        take();
        passLease();
        assertThat(entry().state()).isEqualTo(State.IN_DOUBT);
    }

    @Test
    void inDoubtSaysWhatIsKnown() {
        Ticket ticket = staged();
        ledger().mark(ticket, Mark.of("charging"));
        pass(Duration.ofSeconds(10));
        ledger().settle(ticket, Settlements.doubtful());
        pass(Duration.ofSeconds(10));
        Claim.InDoubt answer = inDoubt(request().withGrace(Duration.ofSeconds(40)));
        assertThat(answer.age()).isEqualTo(Duration.ofSeconds(20));
        assertThat(answer.probeIn()).isEqualTo(LIMIT.plus(Duration.ofSeconds(20)));
        assertThat(answer.doubt()).isEqualTo(answer.entry().doubt());
        assertThat(answer.doubt().since()).isEqualTo(entry().times().settled());
        assertThat(answer.doubt().reason()).contains("SocketTimeoutException").doesNotContain("Read timed out");
        assertThat(answer.entry().tenure().lastMark()).isEqualTo(Mark.of("charging"));
    }

    @Test
    void anOwnerMayCompleteWhatItHadDoubted() {
        Ticket ticket = take();
        ledger().settle(ticket, Settlements.doubtful());
        assertThat(ledger().settle(ticket, Settlements.completed("1"))).isInstanceOf(Settled.Recorded.class);
        assertThat(entry().doubt()).isNull();
    }

    @Test
    void aTakeOverKeepsTheDoubtAndTheMarks() {
        Ticket first = staged();
        ledger().mark(first, Mark.of("charging"));
        ledger().settle(first, Settlements.doubtful());
        Doubt doubt = requireNonNull(entry().doubt());
        pass(Duration.ofSeconds(1));
        ClaimRequest request = request().withStaged(true).withTakeOver(TakeOver.RERUN);
        Entry taken = granted(request);
        assertThat(taken.attempt()).isEqualTo(2);
        assertThat(taken.probing()).isFalse();
        assertThat(taken.doubt()).isEqualTo(doubt);
        assertThat(taken.tenure().marks()).containsExactly(Mark.of("charging"));
        assertThat(taken.tenure().acted()).isEqualTo(taken.fence());
        assertThat(taken.tenure().attemptId()).isEqualTo(request.attemptId());
        ledger().mark(taken.ticket(), Mark.of("charging again"));
        assertThat(entry().tenure().marks()).containsExactly(Mark.of("charging"), Mark.of("charging again"));
    }

    @Test
    void aFailureAfterATakeOverDoesNotLaunderTheDoubt() {
        ledger().settle(take(), Settlements.doubtful());
        Doubt doubt = requireNonNull(entry().doubt());
        ledger().settle(takeOver(), Settlements.failed());
        Entry entry = entry();
        assertThat(entry.state()).isEqualTo(State.IN_DOUBT);
        assertThat(entry.doubt()).isEqualTo(doubt);
        assertThat(entry.failure()).isEqualTo(Settlements.failed().failure());
        assertThat(entry.times().expires()).isNull();
        assertThat(ledger().claim(request())).isInstanceOf(Claim.InDoubt.class);
    }

    @Test
    void aHarmlessLapseAfterATakeOverDoesNotLaunderTheDoubt() {
        take();
        passLease();
        granted(request().withStaged(true).withTakeOver(TakeOver.RERUN));
        passLease();
        assertThat(entry().state()).isEqualTo(State.IN_DOUBT);
    }

    @Test
    void aCompletionClearsTheDoubt() {
        ledger().settle(take(), Settlements.doubtful());
        ledger().settle(takeOver(), Settlements.completed("1"));
        assertThat(entry().doubt()).isNull();
        assertThat(entry().state()).isEqualTo(State.COMPLETE);
    }

    @Test
    void aDeadOwnerIsInDoubtSinceItWasGrantedTheKeyNotSinceSomebodyLooked() {
        Owner owner = processes().startOwner();
        Entry granted = granted(request(owner));
        pass(Duration.ofSeconds(3));
        processes().kill(owner);
        assertThat(inDoubt(request()).doubt().since()).isEqualTo(granted.times().claimed());
    }

    @Test
    void doubtNeverExpires() {
        ledger().settle(take(), Settlements.doubtful());
        take(KEY.withOperation("lapsing"));
        pass(Duration.ofDays(3650));
        assertThat(entry().state()).isEqualTo(State.IN_DOUBT);
        assertThat(entry(KEY.withOperation("lapsing")).state()).isEqualTo(State.IN_DOUBT);
        assertThat(ledger().claim(request())).isInstanceOf(Claim.InDoubt.class);
    }
}
