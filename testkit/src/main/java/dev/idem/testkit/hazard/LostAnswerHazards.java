package dev.idem.testkit.hazard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.InDoubtException;
import dev.idem.LedgerUnavailableException;
import dev.idem.Outcome;
import dev.idem.Policy;
import dev.idem.State;
import dev.idem.UnrecordedException;
import dev.idem.spi.Owner;
import dev.idem.testkit.EngineCase;
import dev.idem.testkit.FaultyLedger;
import dev.idem.testkit.FaultyLedger.Point;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The engine on a ledger whose answers are lost, or that can't be reached. */
abstract class LostAnswerHazards extends EngineCase {
    @Test
    void theAnswerToAClaimIsLostItIsAskedAgainAndRunsOnce() {
        FaultyLedger faulty = new FaultyLedger(ledger()).fail(Point.AFTER_CLAIM, 2);

        Outcome.Valued<String> run = (Outcome.Valued<String>)
                charge(idem(faulty, processes().startOwner())).attempt(call -> act());

        assertThat(run.attempt()).isEqualTo(1);
        assertThat(effects()).isEqualTo(1);
    }

    @Test
    void theAnswerToASettleIsLostItIsToldAgainAndStaysComplete() {
        FaultyLedger faulty = new FaultyLedger(ledger()).fail(Point.AFTER_SETTLE, 2);

        String value = charge(idem(faulty, processes().startOwner())).run(call -> act());

        assertThat(entry().state()).isEqualTo(State.COMPLETE);
        assertThat(charge(idem()).run(call -> act())).isEqualTo(value);
        assertThat(effects()).isEqualTo(1);
    }

    @Test
    void theLedgerIsDownAtTheClaimNothingRuns() {
        FaultyLedger faulty = new FaultyLedger(ledger()).down();

        assertThatThrownBy(() -> charge(idem(faulty, processes().startOwner()))
                        .policy(Policy.unset().lease(Duration.ofMillis(50)))
                        .run(call -> act()))
                .isInstanceOfSatisfying(
                        LedgerUnavailableException.class,
                        down -> assertThat(down.mayTryAgain()).isTrue());
        assertThat(effects()).isZero();
    }

    @Test
    void theLedgerIsDownAtTheSettleTheResultIsHandedBackAndTheEntryIsInDoubt() {
        Owner owner = processes().startOwner();
        FaultyLedger faulty = new FaultyLedger(ledger());

        assertThatThrownBy(() -> charge(impatient(faulty, owner)).run(call -> {
                    faulty.down();
                    return act();
                }))
                .isInstanceOfSatisfying(
                        UnrecordedException.class,
                        unrecorded -> assertThat(unrecorded.value()).isEqualTo(KEY.key() + " #1"));
        passLease();

        assertThatThrownBy(() -> charge(idem()).run(call -> act())).isInstanceOf(InDoubtException.class);
        assertThat(effects()).isEqualTo(1);
    }
}
