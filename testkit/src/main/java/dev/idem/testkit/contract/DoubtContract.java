package dev.idem.testkit.contract;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Entry;
import dev.idem.State;
import dev.idem.spi.Claim;
import dev.idem.spi.ClaimRequest;
import dev.idem.spi.Doubt;
import dev.idem.spi.Fingerprints;
import dev.idem.spi.Mark;
import dev.idem.spi.Owner;
import dev.idem.spi.Settled;
import dev.idem.spi.Settlement;
import dev.idem.spi.TakeOver;
import dev.idem.spi.Ticket;
import dev.idem.testkit.LedgerCase;
import dev.idem.testkit.Settlements;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Unknown outcomes: marks, take-overs, probes, and doubt that stays. */
abstract class DoubtContract extends LedgerCase {
    private static final Duration MOMENT = Duration.ofMillis(1);

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
    void aProbeIsNotAskedBeforeLimitAndGrace() {
        take();
        ClaimRequest probe = request().withTakeOver(TakeOver.PROBE).withGrace(Duration.ofSeconds(30));
        pass(LIMIT.plusSeconds(30).minus(MOMENT));
        assertThat(inDoubt(probe).probeIn()).isEqualTo(MOMENT);
        pass(MOMENT);
        assertThat(granted(probe).probing()).isTrue();
    }

    @Test
    void aProbeIsNotAskedEarlierBecauseTheOwnerIsDead() {
        Owner owner = processes().startOwner();
        granted(request(owner));
        processes().kill(owner);
        assertThat(inDoubt(request().withTakeOver(TakeOver.PROBE)).probeIn()).isEqualTo(LIMIT);
    }

    @Test
    void anAttemptThatWasSeenToEndIsProbedAfterTheGrace() {
        Ticket ticket = take();
        pass(Duration.ofSeconds(7));
        ledger().settle(ticket, new Settlement.Doubtful(Settlements.doubtful().failure(), true));
        ClaimRequest probe = request().withTakeOver(TakeOver.PROBE).withGrace(Duration.ofSeconds(10));
        assertThat(inDoubt(probe).probeIn()).isEqualTo(Duration.ofSeconds(10));
        pass(Duration.ofSeconds(10));
        assertThat(granted(probe).probing()).isTrue();
    }

    @Test
    void anEndThatWasSeenDoesNotPutTheProbeOff() {
        Ticket ticket = take();
        pass(LIMIT.plusSeconds(1));
        ledger().settle(ticket, new Settlement.Doubtful(Settlements.doubtful().failure(), true));
        assertThat(granted(request().withTakeOver(TakeOver.PROBE)).probing()).isTrue();
    }

    /** The end of the first attempt is unknown: it may act until its limit, whatever the outcome of the second. */
    @Test
    void theEndOfARerunBringsNoProbeOfAnEarlierAttemptForward() {
        take();
        passLease();
        Ticket rerun = granted(request().withTakeOver(TakeOver.RERUN)).ticket();
        ledger().settle(rerun, new Settlement.Doubtful(Settlements.doubtful().failure(), true));
        assertThat(inDoubt(request().withTakeOver(TakeOver.PROBE)).probeIn()).isEqualTo(LIMIT);
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
    void heartbeatsDoNotMoveTheLimit() {
        Ticket ticket = take();
        pass(Duration.ofSeconds(20));
        ledger().renew(ticket, LEASE);
        passLease();
        assertThat(inDoubt(request()).probeIn())
                .isEqualTo(LIMIT.minusSeconds(50).minus(MOMENT));
    }

    /** The first attempt may act for an hour. After a rerun with a shorter limit, a probe was asked before that. */
    @Test
    void aRerunWithAShorterLimitBringsNoProbeForward() {
        granted(request().withTimeLimit(Duration.ofHours(1)));
        passLease();
        granted(request().withTimeLimit(Duration.ofMinutes(1)).withTakeOver(TakeOver.RERUN));
        pass(Duration.ofMinutes(2));
        assertThat(inDoubt(request().withTakeOver(TakeOver.PROBE)).probeIn())
                .isEqualTo(Duration.ofMinutes(58).minus(LEASE).minus(MOMENT));
    }

    @Test
    void aRerunWithALongerLimitPutsTheProbeOff() {
        take();
        passLease();
        granted(request().withTimeLimit(LIMIT.multipliedBy(2)).withTakeOver(TakeOver.RERUN));
        passLease();
        assertThat(inDoubt(request()).probeIn())
                .isEqualTo(LIMIT.multipliedBy(2).minus(LEASE).minus(MOMENT));
    }

    @Test
    void aSteppedWallClockBringsNoProbeForward() {
        take();
        passLease();
        monotonicClocks().stepWall(Duration.ofDays(1));
        assertThat(ledger().claim(request().withTakeOver(TakeOver.PROBE))).isInstanceOf(Claim.InDoubt.class);
    }

    @Test
    void aProbeDoesNotCountAsAnAttempt() {
        Ticket doubted = staged();
        ledger().mark(doubted, Mark.of("charging"));
        passLimit();
        Entry entry = granted(request().withTakeOver(TakeOver.PROBE));
        assertThat(entry.attempt()).isEqualTo(1);
        assertThat(entry.fence()).isGreaterThan(doubted.fence());
        assertThat(entry.tenure().acted()).isEqualTo(doubted.fence());
        assertThat(entry.tenure().marks()).containsExactly(Mark.of("charging"));
        assertThat(entry.doubt()).isNotNull();
        assertThat(entry.state()).isEqualTo(State.IN_PROGRESS);
    }

    /** The entry got the prober's content with the doubted attempt's result, so that caller was warned of rewording. */
    @Test
    void aProbeLeavesWhatTheDoubtedAttemptWasFor() {
        Entry doubted =
                granted(request().withLabels(Map.of("customer", "cus_1")).withParent(KEY.withOperation("cart")));
        passLimit();
        Fingerprints reworded = new Fingerprints(IDENTITY.identity(), "c1".repeat(32));
        Entry probing = granted(request(reworded).withTakeOver(TakeOver.PROBE));
        assertThat(probing.fingerprints()).isEqualTo(IDENTITY);
        assertThat(probing.labels()).isEqualTo(doubted.labels());
        assertThat(probing.parent()).isEqualTo(doubted.parent());
    }

    @Test
    void aProbeGuardsWhatHadNoFingerprint() {
        granted(request(Fingerprints.NONE));
        passLimit();
        assertThat(granted(request().withTakeOver(TakeOver.PROBE)).fingerprints())
                .isEqualTo(IDENTITY);
    }

    @Test
    void afterAVerdictItRunsAgainAsTheNextAttempt() {
        take();
        passLimit();
        ledger().settle(takeOverToProbe(), Settlements.notExecuted());
        Entry cleared = entry();
        assertThat(cleared.doubt()).isNull();
        assertThat(cleared.settlement()).isEqualTo(Settlements.notExecuted());
        assertThat(cleared.times().expires()).isNotNull();
        Entry again = granted(request());
        assertThat(again.attempt()).isEqualTo(2);
        assertThat(again.doubt()).isNull();
        ledger().settle(again.ticket(), Settlements.failed());
        assertThat(entry().state()).isEqualTo(State.FAILED);
    }

    @Test
    void aProbeInVainLeavesEverythingAsItWas() {
        Ticket doubted = take();
        ledger().settle(doubted, Settlements.doubtful());
        passLimit();
        Entry before = entry();
        ledger().settle(takeOverToProbe(), Settlements.doubtful());
        Entry after = entry();
        assertThat(after.doubt()).isEqualTo(before.doubt());
        assertThat(after.attempt()).isEqualTo(before.attempt());
        assertThat(after.tenure().acted()).isEqualTo(doubted.fence());
        assertThat(after.tenure().limit()).isEqualTo(before.tenure().limit());
        assertThat(inDoubt(request()).probeIn()).isZero();
    }

    @Test
    void aProbeThatFailsIsNoVerdict() {
        take();
        passLimit();
        ledger().settle(takeOverToProbe(), Settlements.failed());
        assertThat(entry().state()).isEqualTo(State.IN_DOUBT);
    }

    @Test
    void aLateCompletionIsWelcomeWhileTheTakerProbes() {
        Ticket doubted = take();
        passLimit();
        takeOverToProbe();
        assertThat(ledger().settle(doubted, Settlements.completed("1"))).isInstanceOf(Settled.Recorded.class);
        Claim.Replay replay = answer(Claim.Replay.class, ledger().claim(request()));
        assertThat(replay.entry().doubt()).isNull();
        assertThat(replay.entry().settlement()).isEqualTo(Settlements.completed("1"));
    }

    @Test
    void aLateCompletionIsWelcomeAfterAProbeInVain() {
        Ticket doubted = take();
        passLimit();
        ledger().settle(takeOverToProbe(), Settlements.doubtful());
        assertThat(ledger().settle(doubted, Settlements.completed("1"))).isInstanceOf(Settled.Recorded.class);
        assertThat(entry().doubt()).isNull();
    }

    @Test
    void aLateCompletionIsRefusedOnceTheTakerMayAct() {
        Ticket doubted = take();
        passLimit();
        ledger().settle(takeOverToProbe(), Settlements.notExecuted());
        assertThat(ledger().settle(doubted, Settlements.completed("1"))).isInstanceOf(Settled.Stale.class);
        take();
        assertThat(ledger().settle(doubted, Settlements.completed("1"))).isInstanceOf(Settled.Stale.class);
        assertThat(entry().state()).isEqualTo(State.IN_PROGRESS);
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
