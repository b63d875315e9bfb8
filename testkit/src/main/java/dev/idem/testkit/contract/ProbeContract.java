package dev.idem.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Entry;
import dev.idem.State;
import dev.idem.spi.Claim;
import dev.idem.spi.ClaimRequest;
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

/** Probes of unknown outcomes: when one is asked, what its verdict changes, and completions that come late. */
abstract class ProbeContract extends LedgerCase {
    private static final Duration MOMENT = Duration.ofMillis(1);

    private Claim.InDoubt inDoubt(ClaimRequest request) {
        return answer(Claim.InDoubt.class, ledger().claim(request));
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
        Ticket doubted = granted(request().withStaged(true)).ticket();
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
}
