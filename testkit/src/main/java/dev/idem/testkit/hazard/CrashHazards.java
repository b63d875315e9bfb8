package dev.idem.testkit.hazard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.Call;
import dev.idem.Entry;
import dev.idem.Idem;
import dev.idem.InDoubtException;
import dev.idem.InFlightException;
import dev.idem.LedgerUnavailableException;
import dev.idem.NotExecutedException;
import dev.idem.OperationFailedException;
import dev.idem.Outcome;
import dev.idem.Policy;
import dev.idem.Probe;
import dev.idem.RemoteKeys;
import dev.idem.State;
import dev.idem.spi.Fence;
import dev.idem.spi.Ledger;
import dev.idem.spi.Owner;
import dev.idem.spi.ProcessRef;
import dev.idem.testkit.EngineCase;
import dev.idem.testkit.FaultyLedger;
import dev.idem.testkit.FaultyLedger.Point;
import dev.idem.testkit.Halted;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The engine on a ledger: crashes before and after the effect, and what a probe or a mark tells of them. */
abstract class CrashHazards extends EngineCase {

    @Test
    void crashAfterTheEffectBeforeTheRecordIsInDoubtAndNotRunAgain() {
        crashAfterTheEffect();

        assertThatThrownBy(() -> charge(idem()).run(call -> act()))
                .isInstanceOfSatisfying(InDoubtException.class, doubt -> {
                    assertThat(doubt).hasMessageContaining("not run again").hasMessageContaining("resolve");
                    assertThat(doubt.doubt().reason()).contains("ended without settling");
                });
        assertThat(effects()).isEqualTo(1);
    }

    @Test
    void crashAfterTheEffectBeforeTheRecordAProbeFindsItAndEveryoneGetsItsResult() {
        crashAfterTheEffect();
        passLimit();

        Outcome.Valued<String> found =
                (Outcome.Valued<String>) charge(idem()).probe(this::lookUp).attempt(call -> act());

        assertThat(found.value()).isEqualTo(KEY.key() + " #1");
        assertThat(found.replayed()).isTrue();
        assertThat(charge(idem()).run(call -> act())).isEqualTo(found.value());
        assertThat(effects()).isEqualTo(1);
    }

    /** The result had the fence of the probe, which did not act and which the remote has never seen. */
    @Test
    void crashAfterTheEffectBeforeTheRecordTheResultIsThatOfTheAttemptThatActed() {
        crashAfterTheEffect();
        Fence acted = entry().fence();
        passLimit();

        for (int i = 0; i < 2; i++) {
            Outcome.Valued<String> found =
                    (Outcome.Valued<String>) charge(idem()).probe(this::lookUp).attempt(call -> act());
            assertThat(found.provenance().fence()).isEqualTo(acted);
            assertThat(found.attempt()).isEqualTo(1);
        }
    }

    @Test
    void crashBeforeTheEffectAProbeFindsNothingAndItRuns() {
        Owner dying = processes().startOwner();
        FaultyLedger faulty = dyingLedger(dying);
        assertThatThrownBy(() -> charge(idem(faulty, dying)).run(call -> {
                    faulty.halt("before the effect");
                    return act();
                }))
                .isInstanceOf(Halted.class);
        passLimit();

        Outcome.Valued<String> run =
                (Outcome.Valued<String>) charge(idem()).probe(this::lookUp).attempt(call -> act());

        assertThat(run.replayed()).isFalse();
        assertThat(run.attempt()).isEqualTo(2);
        assertThat(effects()).isEqualTo(1);
    }

    @Test
    void aProbeThatCannotTellLeavesEverythingAsItWas() {
        crashAfterTheEffect();
        passLimit();

        assertThatThrownBy(() ->
                        charge(idem()).probe(doubted -> Probe.Verdict.unknown()).run(call -> act()))
                .isInstanceOf(InDoubtException.class);
        assertThatThrownBy(() -> charge(idem())
                        .probe(doubted -> {
                            throw new IOException("the bank does not answer");
                        })
                        .run(call -> act()))
                .isInstanceOf(InDoubtException.class);

        assertThat(entry().attempt()).isEqualTo(1);
        assertThat(charge(idem()).probe(this::lookUp).run(call -> act())).isEqualTo(KEY.key() + " #1");
        assertThat(effects()).isEqualTo(1);
    }

    @Test
    void crashOfWhatIsDeclaredSafeRunsAgainUnderTheSameKey() {
        crashAfterTheEffect();

        Outcome.Valued<String> again = (Outcome.Valued<String>)
                charge(idem()).policy(Policy.idempotent()).attempt(call -> call.key() + " again");

        assertThat(again.value()).isEqualTo(KEY.key() + " again");
        assertThat(again.attempt()).isEqualTo(2);
    }

    @Test
    void crashOfADestructiveOperationNeverRunsAgainEvenIfSomebodyDeclaresItSafe() {
        crashAfterTheEffect();

        assertThatThrownBy(() -> charge(idem())
                        .policy(Policy.destructive()
                                .rerunOnDoubt()
                                .passesKeyTo(new RemoteKeys("bank", Duration.ofDays(30))))
                        .run(call -> act()))
                .isInstanceOf(InDoubtException.class);
        assertThat(effects()).isEqualTo(1);
    }

    /** A probe clears the doubt; only a new call may run the operation again. */
    @Test
    void crashOfADestructiveOperationIsNotRunByThatWhichAsksTheProbe() {
        crashAfterTheEffect();
        passLimit();

        assertThatThrownBy(() -> charge(idem())
                        .policy(Policy.destructive())
                        .probe(doubted -> Probe.Verdict.notExecuted())
                        .run(call -> act()))
                .isInstanceOf(OperationFailedException.class)
                .hasMessageContaining("it may be run again");
        assertThat(effects()).isEqualTo(1);
        charge(idem()).policy(Policy.destructive()).run(call -> act());
        assertThat(effects()).isEqualTo(2);
    }

    /** The probe's verdict was recorded and its answer lost: the same call then ran the destructive action. */
    @Test
    void crashOfADestructiveOperationIsNotRunByThatWhichAsksTheProbeAndLosesAnAnswer() {
        crashAfterTheEffect();
        passLimit();
        FaultyLedger faulty = new FaultyLedger(ledger()).fail(Point.AFTER_SETTLE);

        assertThatThrownBy(() -> charge(idem(faulty, processes().startOwner()))
                        .policy(Policy.destructive())
                        .probe(doubted -> Probe.Verdict.notExecuted())
                        .run(call -> act()))
                .isInstanceOf(OperationFailedException.class);
        assertThat(effects()).isEqualTo(1);
    }

    /** Another caller's probe was faster: the key was free by then, and the call that had seen the doubt ran. */
    @Test
    void crashOfADestructiveOperationIsNotRunByThatWhichFindsThatAnotherHasAsked() {
        crashAfterTheEffect();
        passLimit();
        FaultyLedger faulty = new FaultyLedger(ledger())
                .at(Point.BEFORE_CLAIM, () -> {})
                .at(Point.BEFORE_CLAIM, () -> destroyed(ledger()));

        assertThat(destroyed(faulty)).isInstanceOf(Outcome.Failed.class);
        assertThat(effects()).isEqualTo(1);
        assertThat(entry().state()).isEqualTo(State.FAILED);
        charge(idem()).policy(Policy.destructive()).run(call -> act());
        assertThat(effects()).isEqualTo(2);
    }

    private Outcome<String> destroyed(Ledger ledger) {
        return charge(idem(ledger, processes().startOwner()))
                .policy(Policy.destructive())
                .probe(doubted -> Probe.Verdict.notExecuted())
                .attempt(call -> act());
    }

    @Test
    void crashWhileTheRemoteRemembersTheKeyRunsAgainAndAfterThatIsInDoubt() {
        crashAfterTheEffect();
        RemoteKeys bank = new RemoteKeys("bank", Duration.ofHours(24));

        Outcome.Valued<String> again = (Outcome.Valued<String>)
                charge(idem()).policy(Policy.unset().passesKeyTo(bank)).attempt(Call::key);
        assertThat(again.value()).isEqualTo(KEY.key());
    }

    @Test
    void crashLongerAgoThanTheRemoteRemembersIsInDoubt() {
        crashAfterTheEffect();
        pass(Duration.ofHours(24));
        RemoteKeys bank = new RemoteKeys("bank", Duration.ofHours(24));

        assertThatThrownBy(() ->
                        charge(idem()).policy(Policy.unset().passesKeyTo(bank)).run(call -> act()))
                .isInstanceOf(InDoubtException.class);
        assertThat(effects()).isEqualTo(1);
    }

    @Test
    void crashOfAStagedActionBeforeItsMarkIsHarmlessAndRunsAgain() {
        crashStaged(Point.BEFORE_MARK);

        charge(idem()).policy(Policy.unset().staged()).run(this::markAndAct);
        assertThat(entry().attempt()).isEqualTo(2);
        assertThat(effects()).isEqualTo(1);
    }

    @Test
    void crashOfAStagedActionAfterItsMarkIsInDoubtAndSaysWhatWasMarked() {
        crashStaged(Point.BEFORE_SETTLE);

        assertThatThrownBy(() -> charge(idem()).policy(Policy.unset().staged()).run(this::markAndAct))
                .isInstanceOf(InDoubtException.class)
                .hasMessageContaining("last mark 'charging'");
        assertThat(effects()).isEqualTo(1);
    }

    @Test
    void aStagedActionWhoseMarkGetsNoAnswerStopsAndNothingHasHappened() {
        FaultyLedger faulty = new FaultyLedger(ledger()).fail(Point.AFTER_MARK);

        assertThatThrownBy(() -> charge(idem(faulty, processes().startOwner()))
                        .policy(Policy.unset().staged())
                        .run(this::markAndAct))
                .isInstanceOf(LedgerUnavailableException.class);

        assertThat(effects()).isZero();
        assertThat(entry().state()).isEqualTo(State.FAILED);
    }

    /** The action ignored the exception of its mark, acted, and then threw: the missing mark proves nothing. */
    @Test
    void aStagedActionThatGoesOnWithoutItsMarkIsInDoubt() {
        FaultyLedger faulty = new FaultyLedger(ledger()).fail(Point.BEFORE_MARK);

        assertThatThrownBy(() -> charge(idem(faulty, processes().startOwner()))
                        .policy(Policy.unset().staged())
                        .run(call -> {
                            assertThatThrownBy(() -> call.mark("charging"))
                                    .isInstanceOf(LedgerUnavailableException.class);
                            act();
                            throw new IOException("response lost");
                        }))
                .isInstanceOf(IOException.class);

        assertThat(entry().state()).isEqualTo(State.IN_DOUBT);
    }

    @Test
    void aStagedOwnerThatWasOvertakenBeforeItsMarkIsStoppedByTheMark() {
        Idem slow = idem();
        Idem successor = idem();

        assertThatThrownBy(() -> charge(slow).policy(Policy.unset().staged()).run(call -> {
                    passLease();
                    charge(successor).policy(Policy.unset().staged()).run(this::markAndAct);
                    return markAndAct(call);
                }))
                .isInstanceOf(NotExecutedException.class)
                .hasMessageContaining("taken over");
        assertThat(effects()).isEqualTo(1);
    }

    @Test
    void whatThrowsBeforeThePointOfNoReturnHasFailedForSure() {
        assertThatThrownBy(() -> charge(idem())
                        .prepare(() -> {
                            throw new IOException("no such file");
                        })
                        .run((call, prepared) -> act()))
                .isInstanceOf(IOException.class);

        assertThat(entry().state()).isEqualTo(State.FAILED);
        charge(idem()).prepare(() -> 7).run((call, seven) -> act());
        assertThat(entry().attempt()).isEqualTo(2);
    }

    @Test
    void aChildOutlivesItsKilledParentInFlightWhileItLivesThenInDoubt() {
        Owner dying = processes().startOwner();
        ProcessRef child = processes().start();
        FaultyLedger faulty = dyingLedger(dying);
        assertThatThrownBy(() -> charge(idem(faulty, dying))
                        .policy(Policy.unset().staged())
                        .run(call -> {
                            call.mark("started", child);
                            act();
                            faulty.halt("while the child runs");
                            return "never";
                        }))
                .isInstanceOf(Halted.class);
        passLimit();

        assertThatThrownBy(() -> charge(idem())
                        .policy(Policy.unset().rerunOnDoubt().waitFor(Duration.ZERO))
                        .run(call -> act()))
                .isInstanceOf(InFlightException.class);
        processes().kill(child);
        assertThatThrownBy(() -> charge(idem()).run(call -> act())).isInstanceOf(InDoubtException.class);
        assertThat(effects()).isEqualTo(1);
    }

    private void crashAfterTheEffect() {
        Owner dying = processes().startOwner();
        FaultyLedger faulty = dyingLedger(dying).halt(Point.BEFORE_SETTLE);
        assertThatThrownBy(() -> charge(idem(faulty, dying)).run(call -> act())).isInstanceOf(Halted.class);
        assertThat(effects()).isEqualTo(1);
    }

    private void crashStaged(Point at) {
        Owner dying = processes().startOwner();
        Idem crashing = idem(dyingLedger(dying).halt(at), dying);
        assertThatThrownBy(
                        () -> charge(crashing).policy(Policy.unset().staged()).run(this::markAndAct))
                .isInstanceOf(Halted.class);
    }

    private FaultyLedger dyingLedger(Owner dying) {
        return new FaultyLedger(ledger()).onHalt(() -> processes().kill(dying));
    }

    private String markAndAct(Call call) {
        call.mark("charging");
        return act();
    }

    private Probe.Verdict<String> lookUp(Entry doubted) {
        return world.lookUp(doubted.address().key())
                .map(Probe.Verdict::happened)
                .orElseGet(Probe.Verdict::notExecuted);
    }
}
