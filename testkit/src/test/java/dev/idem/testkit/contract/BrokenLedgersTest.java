package dev.idem.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.spi.Ledger;
import dev.idem.testkit.KitRun;
import dev.idem.testkit.LedgerCase;
import dev.idem.testkit.broken.AmnesicLedger;
import dev.idem.testkit.broken.BlindLedger;
import dev.idem.testkit.broken.CheckThenActLedger;
import dev.idem.testkit.broken.ClockFenceLedger;
import dev.idem.testkit.broken.DeafLedger;
import dev.idem.testkit.broken.DeletingWaiterLedger;
import dev.idem.testkit.broken.DoubtExpiringLedger;
import dev.idem.testkit.broken.DoubtPurgingLedger;
import dev.idem.testkit.broken.DowngradingLedger;
import dev.idem.testkit.broken.EternalLedger;
import dev.idem.testkit.broken.FencelessSettleLedger;
import dev.idem.testkit.broken.ForgetfulFenceLedger;
import dev.idem.testkit.broken.FreshFenceLedger;
import dev.idem.testkit.broken.HastyProbeLedger;
import dev.idem.testkit.broken.LateConflictLedger;
import dev.idem.testkit.broken.LaunderingLedger;
import dev.idem.testkit.broken.MarkLosingLedger;
import dev.idem.testkit.broken.NullishLedger;
import dev.idem.testkit.broken.OffsetPagingLedger;
import dev.idem.testkit.broken.PlainLedger;
import dev.idem.testkit.broken.RegrantingLedger;
import dev.idem.testkit.broken.RepeatingLedger;
import dev.idem.testkit.broken.ReplayingLedger;
import dev.idem.testkit.broken.RuthlessForgetLedger;
import dev.idem.testkit.broken.StaleHeartbeatLedger;
import dev.idem.testkit.broken.StaleMarkLedger;
import dev.idem.testkit.broken.StickyExpiryLedger;
import dev.idem.testkit.broken.TruncatingLedger;
import dev.idem.testkit.broken.TrustingLedger;
import dev.idem.testkit.broken.UnawareForgetLedger;
import dev.idem.testkit.broken.UnsyncedLedger;
import dev.idem.testkit.broken.WallClockLedger;
import dev.idem.testkit.broken.WritingWaiterLedger;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The kit goes red on every broken ledger, by the very test that is there for it; and stays green on a healthy one. */
final class BrokenLedgersTest {
    record Case(Class<? extends Ledger> ledger, Class<? extends LedgerCase> contract, String test) {
        @Override
        public String toString() {
            return ledger.getSimpleName() + " is caught by " + test;
        }
    }

    static List<Case> cases() {
        return List.of(
                new Case(CheckThenActLedger.class, LedgerContract.Racing.class, "oneOfManyGetsTheKey"),
                new Case(FencelessSettleLedger.class, LedgerContract.Settles.class, "settleTable"),
                new Case(StaleHeartbeatLedger.class, LedgerContract.Leases.class, "aHeartbeatAfterATakeOverIsRefused"),
                new Case(StaleMarkLedger.class, LedgerContract.Doubts.class, "aMarkAfterATakeOverIsRefused"),
                new Case(EternalLedger.class, LedgerContract.Expiry.class, "anEntryAnswersUntilItsRetentionIsOver"),
                new Case(DowngradingLedger.class, LedgerContract.Settles.class, "settleTable"),
                new Case(
                        LaunderingLedger.class,
                        LedgerContract.Doubts.class,
                        "aFailureAfterATakeOverDoesNotLaunderTheDoubt"),
                new Case(ForgetfulFenceLedger.class, LedgerContract.Fences.class, "growsAfterAForget"),
                new Case(FreshFenceLedger.class, LedgerContract.Fences.class, "growsWhenTheLedgerIsOpenedAgain"),
                new Case(ClockFenceLedger.class, LedgerContract.Fences.class, "growsWhenTheClockStepsBack"),
                new Case(TrustingLedger.class, LedgerContract.Claims.class, "claimOrder"),
                new Case(
                        LateConflictLedger.class,
                        LedgerContract.Claims.class,
                        "aConflictIsToldEvenWhileTheFirstIsInFlight"),
                new Case(
                        DoubtPurgingLedger.class,
                        LedgerContract.Expiry.class,
                        "aPurgeNeverTakesWhatIsInProgressOrInDoubt"),
                new Case(DoubtExpiringLedger.class, LedgerContract.Doubts.class, "doubtNeverExpires"),
                new Case(AmnesicLedger.class, LedgerContract.Claims.class, "theSameAttemptAgainGetsTheSameGrant"),
                new Case(AmnesicLedger.class, LedgerContract.Crashes.class, "anAnswerThatIsLostOnceIsAskedForAgain"),
                new Case(RegrantingLedger.class, LedgerContract.Claims.class, "claimOrder"),
                new Case(RegrantingLedger.class, LedgerContract.Crashes.class, "aProcessEndsAndItIsKnownAtOnce"),
                new Case(RepeatingLedger.class, LedgerContract.Claims.class, "aDelayedCopyOfASettledClaimRunsNothing"),
                new Case(
                        ReplayingLedger.class,
                        LedgerContract.Claims.class,
                        "aRepeatThatMayRunIsTheFirstGrantOfANewLife"),
                new Case(DeafLedger.class, LedgerContract.Probes.class, "aLateCompletionIsWelcomeWhileTheTakerProbes"),
                new Case(HastyProbeLedger.class, LedgerContract.Probes.class, "aProbeIsNotAskedBeforeLimitAndGrace"),
                new Case(TruncatingLedger.class, LedgerContract.RoundTrips.class, "aResultComesBackAsItWas"),
                new Case(NullishLedger.class, LedgerContract.RoundTrips.class, "aResultComesBackAsItWas"),
                new Case(WritingWaiterLedger.class, LedgerContract.Leases.class, "waitingProlongsNoLease"),
                new Case(
                        DeletingWaiterLedger.class, LedgerContract.Claims.class, "aClaimThatIsNotGrantedWritesNothing"),
                new Case(WallClockLedger.class, LedgerContract.Leases.class, "aWallClockSteppedForwardLapsesNoLease"),
                new Case(BlindLedger.class, LedgerContract.Leases.class, "aDeadOwnerIsInDoubtAtOnce"),
                new Case(
                        BlindLedger.class,
                        LedgerContract.Leases.class,
                        "aLivingChildKeepsTheKeyInFlightWhenItsOwnerIsDead"),
                new Case(StickyExpiryLedger.class, LedgerContract.Expiry.class, "aGrantClearsTheExpiry"),
                new Case(MarkLosingLedger.class, LedgerContract.Doubts.class, "aTakeOverKeepsTheDoubtAndTheMarks"),
                new Case(RuthlessForgetLedger.class, LedgerContract.Fences.class, "forgetIsRefusedWhileATicketLives"),
                new Case(
                        UnawareForgetLedger.class,
                        LedgerContract.Fences.class,
                        "forgetIsRefusedForACompletionThatWasNotSeen"),
                new Case(
                        OffsetPagingLedger.class,
                        LedgerContract.Browsing.class,
                        "pagesStayStableWhileEntriesComeAndGo"),
                new Case(UnsyncedLedger.class, LedgerContract.Reopening.class, "theEntryIsAsItWas"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cases")
    void isCaught(Case broken) {
        assertThat(KitOnChosenLedger.run(broken.ledger(), broken.contract()).failed())
                .contains(broken.test());
    }

    static Stream<Class<? extends Ledger>> modelled() {
        // One thread, small results and two keys show neither races nor cut results nor shifted pages.
        List<Class<? extends Ledger>> beyond = List.of(
                CheckThenActLedger.class, TruncatingLedger.class, NullishLedger.class, OffsetPagingLedger.class);
        return cases().stream()
                .<Class<? extends Ledger>>map(Case::ledger)
                .distinct()
                .filter(ledger -> !beyond.contains(ledger));
    }

    @ParameterizedTest
    @MethodSource("modelled")
    void isCaughtByRandomSchedulesToo(Class<? extends Ledger> ledger) {
        assertThat(KitOnChosenLedger.run(ledger, LedgerContract.Modelled.class).failed())
                .containsExactly("randomSchedulesAgreeWithTheModel");
    }

    @Test
    void theHealthyLedgerIsNotBlamed() {
        KitRun run = KitOnChosenLedger.run(PlainLedger.class, LedgerContract.Claims.class);
        assertThat(run.failed()).isEmpty();
        assertThat(run.passed()).contains("claimOrder");
    }

    @Test
    void everyBrokenLedgerHasACase() throws IOException, URISyntaxException {
        Set<String> judged = Set.copyOf(
                cases().stream().map(broken -> broken.ledger().getSimpleName()).toList());
        Path folder = Path.of(PlainLedger.class.getResource("PlainLedger.class").toURI())
                .getParent();
        try (Stream<Path> files = Files.list(folder)) {
            List<String> ledgers = files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith("Ledger.class") && !name.equals("PlainLedger.class"))
                    .map(name -> name.replace(".class", ""))
                    .toList();
            assertThat(judged).containsExactlyInAnyOrderElementsOf(ledgers);
        }
    }
}
