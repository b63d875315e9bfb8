package dev.idem.torture.check;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Rules about runs and second runs, each on a history that keeps it and on one that breaks it. */
class RunningRulesTest extends CheckedHistory {
    @Test
    void aFirstCallAndItsDuplicatesAreFine() {
        asked("a");
        run("a", 1);
        done("a", 1);
        asked("b");
        answered("b", Answer.REPLAYED, 1, token("a", 1));
        ends(Kept.State.COMPLETE, 1, token("a", 1));
        assertThat(broken()).isEmpty();
    }

    @Test
    void oneTicketForTwoCalls() {
        asked("a");
        asked("b");
        began("a", 1);
        began("b", 1);
        assertThat(broken()).containsExactly(Rule.ONE_OWNER);
    }

    @Test
    void anEffectUnderATicketThatTookEffectAlready() {
        asked("a");
        run("a", 1);
        effect("a", 1);
        assertThat(broken()).containsExactly(Rule.ONE_OWNER);
    }

    @Test
    void aSecondEffectThatNobodyDeclaredSafe() {
        asked("a");
        run("a", 1);
        asked("b");
        run("b", 2);
        assertThat(broken()).contains(Rule.ONE_EFFECT);
    }

    @Test
    void aSecondEffectThatWasDeclaredSafe() {
        asked("a", Promise.SAFE);
        run("a", 1);
        asked("b", Promise.SAFE);
        run("b", 2);
        done("b", 2);
        ends(Kept.State.COMPLETE, 2, token("b", 2));
        assertThat(broken()).isEmpty();
    }

    @Test
    void anUnknownOutcomeThatIsSilentlyRunAgain() {
        asked("a");
        began("a", 1);
        asked("b");
        began("b", 2);
        assertThat(broken()).containsExactly(Rule.NO_SILENT_RERUN);
    }

    @Test
    void aDefiniteFailureMayBeRunAgain() {
        asked("a");
        began("a", 1);
        threw("a", 1, true);
        answered("a", Answer.FAILED, 1, "NotExecutedException");
        asked("b");
        run("b", 2);
        done("b", 2);
        assertThat(broken()).isEmpty();
    }

    @Test
    void anAmbiguousFailureMayNot() {
        asked("a");
        began("a", 1);
        threw("a", 1, false);
        asked("b");
        began("b", 2);
        assertThat(broken()).containsExactly(Rule.NO_SILENT_RERUN);
    }

    @Test
    void aDefiniteFailureAfterATakeOverDoesNotClearTheDoubtBeforeIt() {
        asked("a");
        began("a", 1);
        asked("b", Promise.SAFE);
        began("b", 2);
        threw("b", 2, true);
        asked("c");
        began("c", 3);
        assertThat(broken()).containsExactly(Rule.NO_SILENT_RERUN);
    }

    @Test
    void aStagedAttemptThatHasNotActedMayBeRunAgain() {
        asked("a", Promise.STAGED);
        began("a", 1);
        asked("b", Promise.STAGED);
        run("b", 2);
        assertThat(broken()).isEmpty();
    }

    @Test
    void aStagedAttemptThatActsAfterItsSuccessorBegan() {
        asked("a", Promise.STAGED);
        began("a", 1);
        asked("b", Promise.STAGED);
        began("b", 2);
        effect("a", 1);
        assertThat(broken()).containsExactly(Rule.NO_SILENT_RERUN);
    }

    @Test
    void aProbeThatFindsNothingFreesTheKey() {
        asked("a", Promise.PROBE);
        began("a", 1);
        asked("b", Promise.PROBE);
        say(new Line.Probed("b", K, 2, false));
        run("b", 3);
        assertThat(broken()).isEmpty();
    }

    @Test
    void aProbeThatFindsTheEffectDoesNot() {
        asked("a", Promise.PROBE);
        run("a", 1);
        asked("b", Promise.PROBE);
        say(new Line.Probed("b", K, 2, true));
        began("b", 3);
        assertThat(broken()).containsExactly(Rule.NO_SILENT_RERUN);
    }

    @Test
    void nothingRunsAfterItWasCompleteNotEvenWhatIsSafe() {
        asked("a", Promise.SAFE);
        run("a", 1);
        done("a", 1);
        asked("b", Promise.SAFE);
        began("b", 2);
        assertThat(broken()).containsExactly(Rule.COMPLETE_IS_TERMINAL);
    }

    @Test
    void anOvertakenOwnerMayActLateWhereItsSuccessorWasDeclaredSafe() {
        asked("a", Promise.SAFE);
        began("a", 1);
        asked("b", Promise.SAFE);
        run("b", 2);
        done("b", 2);
        effect("a", 1);
        answered("a", Answer.NONE, 0, "StaleTicketException");
        ends(Kept.State.COMPLETE, 2, token("b", 2));
        assertThat(broken()).isEmpty();
    }
}
