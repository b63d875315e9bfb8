package dev.idem.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Address;
import dev.idem.Entry;
import dev.idem.Repeat;
import dev.idem.State;
import dev.idem.spi.Claim;
import dev.idem.spi.ClaimRequest;
import dev.idem.spi.Fingerprints;
import dev.idem.spi.Mark;
import dev.idem.spi.Settled;
import dev.idem.spi.TakeOver;
import dev.idem.spi.Ticket;
import dev.idem.testkit.Settlements;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The answers of claims, and the entries after a grant. */
@Tag(LedgerContract.RULES)
abstract class ClaimContract extends SituationCase {
    /** A kind of claim of a key that others may have claimed before. */
    enum Claimant {
        DUPLICATE("a duplicate"),
        STRANGER("a claim for something else"),
        IMPORTED("a claim without a fingerprint"),
        RERUNNER("a claim that may run it again"),
        PROBER("a claim that may ask a probe");

        private final String words;

        Claimant(String words) {
            this.words = words;
        }

        ClaimRequest request(ClaimContract on) {
            return switch (this) {
                case DUPLICATE -> on.request();
                case STRANGER -> on.request(OTHER_IDENTITY);
                case IMPORTED -> on.request(Fingerprints.NONE);
                case RERUNNER -> on.request().withTakeOver(TakeOver.RERUN);
                case PROBER -> on.request().withTakeOver(TakeOver.PROBE);
            };
        }
    }

    record Row(Situation situation, Claimant claimant, Class<? extends Claim> answer) {
        @Override
        public String toString() {
            return situation + ": " + claimant.words + " is answered " + answer.getSimpleName();
        }
    }

    static Stream<Row> table() {
        Class<Claim.Granted> granted = Claim.Granted.class;
        Class<Claim.InFlight> inFlight = Claim.InFlight.class;
        Class<Claim.Conflict> conflict = Claim.Conflict.class;
        Class<Claim.Replay> replay = Claim.Replay.class;
        Class<Claim.ReplayedFailure> failure = Claim.ReplayedFailure.class;
        Class<Claim.InDoubt> inDoubt = Claim.InDoubt.class;
        Class<Claim.Expired> expired = Claim.Expired.class;
        return Stream.of(
                        // duplicate, stranger, imported, rerunner, prober
                        rows(Situation.NEVER_SEEN, granted, granted, granted, granted, granted),
                        rows(Situation.RUNNING, inFlight, conflict, inFlight, inFlight, inFlight),
                        rows(Situation.COMPLETE, replay, conflict, replay, replay, replay),
                        rows(Situation.FAILED, granted, conflict, granted, granted, granted),
                        rows(Situation.FAILED_FOR_GOOD, failure, conflict, failure, failure, failure),
                        rows(Situation.DOUBTED, inDoubt, conflict, inDoubt, granted, inDoubt),
                        rows(Situation.LAPSED, inDoubt, conflict, inDoubt, granted, inDoubt),
                        rows(Situation.STAGED_AND_LAPSED, granted, conflict, granted, granted, granted),
                        rows(Situation.MARKED_AND_LAPSED, inDoubt, conflict, inDoubt, granted, inDoubt),
                        rows(Situation.PAST_LIMIT, inDoubt, conflict, inDoubt, granted, granted),
                        rows(Situation.PROBING, inFlight, conflict, inFlight, inFlight, inFlight),
                        rows(Situation.PROBED_IN_VAIN, inDoubt, conflict, inDoubt, granted, granted),
                        rows(Situation.PROBED_AND_CLEARED, granted, conflict, granted, granted, granted),
                        rows(Situation.RERUNNING, inFlight, conflict, inFlight, inFlight, inFlight),
                        rows(Situation.RERUN_FAILED, inDoubt, conflict, inDoubt, granted, inDoubt),
                        rows(Situation.RERUN_LAPSED, inDoubt, conflict, inDoubt, granted, inDoubt),
                        rows(Situation.EXPIRED, granted, granted, granted, granted, granted),
                        rows(Situation.TOMBSTONE, expired, expired, expired, expired, expired),
                        rows(Situation.TOMBSTONE_GONE, granted, granted, granted, granted, granted),
                        rows(Situation.FORGOTTEN, granted, granted, granted, granted, granted),
                        rows(Situation.RESOLVED_COMPLETE, replay, conflict, replay, replay, replay),
                        rows(Situation.RESOLVED_FAILED, granted, conflict, granted, granted, granted))
                .flatMap(List::stream);
    }

    private static List<Row> rows(
            Situation situation,
            Class<? extends Claim> duplicate,
            Class<? extends Claim> stranger,
            Class<? extends Claim> imported,
            Class<? extends Claim> rerunner,
            Class<? extends Claim> prober) {
        return List.of(
                new Row(situation, Claimant.DUPLICATE, duplicate),
                new Row(situation, Claimant.STRANGER, stranger),
                new Row(situation, Claimant.IMPORTED, imported),
                new Row(situation, Claimant.RERUNNER, rerunner),
                new Row(situation, Claimant.PROBER, prober));
    }

    static Stream<Row> refusals() {
        return table().filter(row -> row.answer() != Claim.Granted.class);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("table")
    void claimOrder(Row row) {
        row.situation().arrange().accept(this);
        assertThat(ledger().claim(row.claimant().request(this))).isInstanceOf(row.answer());
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("refusals")
    void aClaimThatIsNotGrantedWritesNothing(Row row) {
        row.situation().arrange().accept(this);
        Entry before = entry();
        Claim claim = ledger().claim(row.claimant().request(this));
        assertThatAllOf(claim.entry()).ignoringFields("replays").isEqualTo(before);
        assertThatAllOf(entry()).ignoringFields("replays").isEqualTo(before);
    }

    @Test
    void theFirstGrantIsTheFirstAttempt() {
        Entry entry = granted(request());
        assertThat(entry.state()).isEqualTo(State.IN_PROGRESS);
        assertThat(entry.attempt()).isEqualTo(1);
        assertThat(entry.probing()).isFalse();
        assertThat(entry.doubt()).isNull();
        assertThat(entry.settlement()).isNull();
        assertThat(entry.times().settled()).isNull();
        assertThat(entry.times().expires()).isNull();
        assertThat(entry.times().created()).isEqualTo(entry.times().claimed());
        assertThat(entry.tenure().marks()).isEmpty();
        assertThat(entry.replays()).isZero();
    }

    @Test
    void theSameAttemptAgainGetsTheSameGrant() {
        ClaimRequest request = request();
        Entry first = granted(request);
        Entry again = granted(request);
        assertThatAllOf(again).ignoringFields("tenure.lease").isEqualTo(first);
    }

    @Test
    void theSameAttemptAgainStartsTheLeaseAnew() {
        ClaimRequest request = request();
        granted(request);
        pass(Duration.ofSeconds(20));
        granted(request);
        pass(Duration.ofSeconds(20));
        assertThat(ledger().claim(request())).isInstanceOf(Claim.InFlight.class);
    }

    @Test
    void theSameAttemptAgainAfterALapseIsStillItsOwn() {
        ClaimRequest request = request();
        Ticket first = granted(request).ticket();
        passLease();
        assertThat(granted(request).ticket()).isEqualTo(first);
    }

    @Test
    void theSameAttemptOfAProbeAgainIsStillAProbe() {
        take();
        passLimit();
        ClaimRequest request = request().withTakeOver(TakeOver.PROBE);
        Entry first = granted(request);
        assertThatAllOf(granted(request)).ignoringFields("tenure.lease").isEqualTo(first);
    }

    @Test
    void theSameAttemptOfATakeOverAgainIsNotTakenOverTwice() {
        take();
        passLease();
        ClaimRequest request = request().withTakeOver(TakeOver.RERUN);
        Entry first = granted(request);
        assertThatAllOf(granted(request)).ignoringFields("tenure.lease").isEqualTo(first);
    }

    @Test
    void theAttemptThatCompletedGetsItsOwnResult() {
        ClaimRequest request = request();
        ledger().settle(granted(request).ticket(), Settlements.completed("1"));
        assertThat(ledger().claim(request)).isInstanceOf(Claim.Replay.class);
    }

    @Test
    void aRepeatThatMayRunIsTheFirstGrantOfANewLife() {
        Ticket first = take();
        ledger().settle(first, Settlements.completed("1"));

        Entry again = granted(request().withRepeat(Repeat.RUN));

        assertThat(again.state()).isEqualTo(State.IN_PROGRESS);
        assertThat(again.fence()).isGreaterThan(first.fence());
        assertThat(again.attempt()).isEqualTo(1);
        assertThat(again.times().expires()).isNull();
        assertThat(again.settlement()).isNull();
        assertThatAllOf(entry()).isEqualTo(again);
        assertThat(ledger().claim(request().withRepeat(Repeat.RUN))).isInstanceOf(Claim.InFlight.class);
        assertThat(ledger().settle(first, Settlements.completed("1"))).isInstanceOf(Settled.Stale.class);
        ledger().settle(again.ticket(), Settlements.completed("2"));
        Claim.Replay replay = answer(Claim.Replay.class, ledger().claim(request()));
        assertThat(replay.entry().settlement()).isEqualTo(Settlements.completed("2"));
    }

    @Test
    void aRepeatThatMayRunIsStillAConflictWithAnotherIdentity() {
        ledger().settle(take(), Settlements.completed("1"));
        assertThat(ledger().claim(request(OTHER_IDENTITY).withRepeat(Repeat.RUN)))
                .isInstanceOf(Claim.Conflict.class);
    }

    @Test
    void aDelayedCopyOfASettledClaimRunsNothing() {
        ClaimRequest request = request().withRepeat(Repeat.RUN);
        ledger().settle(granted(request).ticket(), Settlements.completed("1"));
        assertThat(ledger().claim(request)).isInstanceOf(Claim.Replay.class);
    }

    @Test
    void aDelayedCopyOfAFailedClaimRunsNothing() {
        ClaimRequest request = request();
        ledger().settle(granted(request).ticket(), Settlements.failed());
        assertThat(ledger().claim(request)).isInstanceOf(Claim.ReplayedFailure.class);
        assertThat(ledger().claim(request())).isInstanceOf(Claim.Granted.class);
    }

    @Test
    void aDelayedCopyOfADoubtedClaimDoesNotRunItAgain() {
        ClaimRequest request = request().withTakeOver(TakeOver.RERUN);
        ledger().settle(granted(request).ticket(), Settlements.doubtful());
        assertThat(ledger().claim(request)).isInstanceOf(Claim.InDoubt.class);
        assertThat(ledger().claim(request().withTakeOver(TakeOver.RERUN))).isInstanceOf(Claim.Granted.class);
    }

    @Test
    void theSameAttemptAfterATakeOverDoesNotGetItsTicketBack() {
        ClaimRequest request = request();
        granted(request);
        passLease();
        takeOver();
        assertThat(ledger().claim(request)).isInstanceOf(Claim.InFlight.class);
    }

    @Test
    void aConflictIsToldEvenWhileTheFirstIsInFlight() {
        take();
        Claim.Conflict conflict = answer(Claim.Conflict.class, ledger().claim(request(OTHER_IDENTITY)));
        assertThat(conflict.entry().fingerprints()).isEqualTo(IDENTITY);
    }

    @Test
    void otherContentIsNoConflict() {
        take();
        Fingerprints reworded = new Fingerprints(IDENTITY.identity(), "dd".repeat(32));
        assertThat(ledger().claim(request(reworded))).isInstanceOf(Claim.InFlight.class);
    }

    @Test
    void anEntryWithoutAFingerprintConflictsWithNothing() {
        ledger().settle(granted(request(Fingerprints.NONE)).ticket(), Settlements.completed("1"));
        assertThat(ledger().claim(request(IDENTITY))).isInstanceOf(Claim.Replay.class);
    }

    @Test
    void aReplayHandsOutWhatWasSettled() {
        ledger().settle(take(), Settlements.completed("{\"charged\":4200}"));
        Claim.Replay replay = answer(Claim.Replay.class, ledger().claim(request()));
        assertThatAllOf(replay.entry()).ignoringFields("replays").isEqualTo(entry());
        assertThat(replay.entry().settlement()).isEqualTo(Settlements.completed("{\"charged\":4200}"));
    }

    @Test
    void aReplayIsNeverCountedTwice() {
        ledger().settle(take(), Settlements.completed("1"));
        for (int i = 0; i < 3; i++) {
            ledger().claim(request());
        }
        assertThat(entry().replays()).isBetween(0L, 3L);
    }

    @Test
    void aKeptFailureIsHandedOut() {
        ledger().settle(take(), Settlements.failedForGood());
        Claim.ReplayedFailure failure = answer(Claim.ReplayedFailure.class, ledger().claim(request()));
        assertThat(failure.entry().failure())
                .isEqualTo(Settlements.failedForGood().failure());
    }

    @Test
    void inFlightSaysHowLongTheLeaseLasts() {
        take();
        pass(Duration.ofSeconds(12));
        Claim.InFlight inFlight = answer(Claim.InFlight.class, ledger().claim(request()));
        assertThat(inFlight.leaseLeft()).isEqualTo(Duration.ofSeconds(18));
    }

    @Test
    void aFailedEntryStartsAfreshButCountsOn() {
        Ticket first = granted(request()
                        .withStaged(true)
                        .withLabels(Map.of("try", "one"))
                        .withParent(KEY.withOperation("checkout")))
                .ticket();
        ledger().mark(first, Mark.of("charging"));
        ledger().settle(first, Settlements.failed());
        Entry failed = entry();
        ClaimRequest second = request().withLabels(Map.of("try", "two"));
        Entry entry = granted(second);
        assertThat(entry.attempt()).isEqualTo(2);
        assertThat(entry.fence()).isGreaterThan(first.fence());
        assertThat(entry.times().created()).isEqualTo(failed.times().created());
        assertThat(entry.times().settled()).isNull();
        assertThat(entry.times().expires()).isNull();
        assertThat(entry.settlement()).isNull();
        assertThat(entry.tenure().marks()).isEmpty();
        assertThat(entry.tenure().staged()).isFalse();
        assertThat(entry.tenure().attemptId()).isEqualTo(second.attemptId());
        assertThat(entry.labels()).containsExactly(Map.entry("try", "two"));
        assertThat(entry.parent()).isNull();
        assertThatAllOf(entry()).isEqualTo(entry);
    }

    @Test
    void scopesOperationsAndKeysAreApart() {
        take(new Address("a", "b", "c"));
        take(new Address("x", "b", "c"));
        take(new Address("a", "x", "c"));
        take(new Address("a", "b", "x"));
        assertThat(ledger().claim(request(new Address("a", "b", "c")))).isInstanceOf(Claim.InFlight.class);
        assertThat(ledger().find(new Address("c", "b", "a"))).isEmpty();
    }
}
