package dev.idem.torture.check;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Rules about forget, expiry and rows, each on a history that keeps it and on one that breaks it. */
class LeavingRulesTest extends CheckedHistory {
    @Test
    void aForgottenKeyMayBeRunAgainAndHasAnotherResult() {
        asked("a");
        run("a", 1);
        done("a", 1);
        forget(1, true);
        asked("b");
        run("b", 2);
        done("b", 2);
        ends(Kept.State.COMPLETE, 2, token("b", 2));
        assertThat(broken()).isEmpty();
    }

    @Test
    void aForgetThatWasRefusedChangesNothing() {
        asked("a");
        run("a", 1);
        done("a", 1);
        forget(1, false);
        asked("b");
        run("b", 2);
        assertThat(broken()).contains(Rule.ONE_EFFECT, Rule.COMPLETE_IS_TERMINAL);
    }

    @Test
    void aCompletionThatWasForgottenBySomebodyWhoHadSeenADoubt() {
        asked("a");
        run("a", 1);
        done("a", 1);
        forget(1, false, true);
        assertThat(broken()).containsExactly(Rule.NOTHING_LOST);
    }

    @Test
    void aCompletionThatWasAcknowledgedAfterSomebodyHadSeenADoubtAndHadItForgotten() {
        asked("a");
        run("a", 1);
        forget(1, false, true);
        done("a", 1);
        assertThat(broken()).containsExactly(Rule.NOTHING_LOST);
    }

    @Test
    void aDoubtThatWasForgottenIsNoCompletionOfWhatCameBeforeOrAfter() {
        asked("a");
        run("a", 1);
        done("a", 1);
        forget(1, true, true);
        asked("b");
        run("b", 2);
        threw("b", 2, false);
        answered("b", Answer.IN_DOUBT, 2, "lost");
        forget(2, false, true);
        asked("c");
        run("c", 3);
        done("c", 3);
        ends(Kept.State.COMPLETE, 3, token("c", 3));
        assertThat(broken()).isEmpty();
    }

    @Test
    void whatWasForgottenMayBeAbsentInTheEnd() {
        asked("a");
        run("a", 1);
        done("a", 1);
        say(new Line.Forgetting("p", K, 1));
        ends(Kept.State.ABSENT, 0, "");
        assertThat(broken()).isEmpty();
    }

    @Test
    void aFenceThatStartsAnewAfterAForget() {
        asked("a");
        run("a", 5);
        done("a", 5);
        forget(5, true);
        asked("b");
        began("b", 1);
        assertThat(broken()).contains(Rule.FENCES_GROW);
    }

    @Test
    void aBriefEntryMayExpireAndRunAgain() {
        asked("a", Promise.BRIEF);
        run("a", 1);
        done("a", 1);
        asked("b", Promise.BRIEF);
        run("b", 2);
        done("b", 2);
        ends(Kept.State.ABSENT, 0, "");
        assertThat(broken()).isEmpty();
    }

    @Test
    void aBriefEntryInDoubtNeverExpires() {
        asked("a", Promise.BRIEF);
        run("a", 1);
        threw("a", 1, false);
        asked("b", Promise.BRIEF);
        run("b", 2);
        assertThat(broken()).contains(Rule.ONE_EFFECT);
    }

    @Test
    void whatHasLeftATombstoneIsSaidToHaveExpired() {
        asked("a", Promise.TOMBSTONED);
        run("a", 1);
        done("a", 1);
        asked("b", Promise.TOMBSTONED);
        answered("b", Answer.EXPIRED, 1, "ExpiredException");
        ends(Kept.State.EXPIRED, 1, "");
        assertThat(broken()).isEmpty();
    }

    @Test
    void whatHasLeftATombstoneRunsAgain() {
        asked("a", Promise.TOMBSTONED);
        run("a", 1);
        done("a", 1);
        asked("b", Promise.TOMBSTONED);
        run("b", 2);
        assertThat(broken()).contains(Rule.ONE_EFFECT, Rule.COMPLETE_IS_TERMINAL);
    }

    @Test
    void whatWasSaidToHaveExpiredRunsAgain() {
        asked("a", Promise.TOMBSTONED);
        run("a", 1);
        answered("a", Answer.NONE, 0, "UnrecordedException");
        asked("b", Promise.TOMBSTONED);
        answered("b", Answer.EXPIRED, 1, "ExpiredException");
        asked("c", Promise.TOMBSTONED);
        began("c", 2);
        assertThat(broken()).contains(Rule.COMPLETE_IS_TERMINAL);
    }

    @Test
    void aTombstoneThatIsGoneInTheEnd() {
        asked("a", Promise.TOMBSTONED);
        run("a", 1);
        answered("a", Answer.NONE, 0, "UnrecordedException");
        asked("b", Promise.TOMBSTONED);
        answered("b", Answer.EXPIRED, 1, "ExpiredException");
        ends(Kept.State.ABSENT, 0, "");
        assertThat(broken()).contains(Rule.NOTHING_LOST, Rule.FAILED_MEANS_NOTHING);
    }

    @Test
    void aFailureThatIsSaidToHaveExpired() {
        asked("a", Promise.TOMBSTONED);
        began("a", 1);
        threw("a", 1, true);
        answered("a", Answer.FAILED, 1, "declined");
        asked("b", Promise.TOMBSTONED);
        answered("b", Answer.EXPIRED, 1, "ExpiredException");
        assertThat(broken()).containsExactly(Rule.EXPIRY_HAS_A_CAUSE);
    }

    @Test
    void anEntryWithoutATombstoneThatIsSaidToHaveExpired() {
        asked("a");
        run("a", 1);
        done("a", 1);
        ends(Kept.State.EXPIRED, 1, "");
        assertThat(broken()).containsExactly(Rule.EXPIRY_HAS_A_CAUSE);
    }

    @Test
    void aFailureExpiresWithoutATombstoneAndItsFenceCountsOn() {
        asked("a", Promise.TOMBSTONED);
        began("a", 1);
        threw("a", 1, true);
        answered("a", Answer.FAILED, 1, "declined");
        asked("b", Promise.TOMBSTONED);
        run("b", 2);
        done("b", 2);
        ends(Kept.State.EXPIRED, 2, "");
        assertThat(broken()).isEmpty();
    }

    @Test
    void aRowAndItsEntryAreThereTogether() {
        asked("a", Promise.TRANSACTED);
        began("a", 1);
        asked("b", Promise.TRANSACTED);
        began("b", 2);
        say(new Line.Wrote("b", K, 2, token("b", 2)));
        done("b", 2);
        endsWithRows(Kept.State.COMPLETE, token("b", 2), token("b", 2));
        assertThat(broken()).isEmpty();
    }

    @Test
    void aRowWithoutItsEntry() {
        asked("a", Promise.TRANSACTED);
        began("a", 1);
        say(new Line.Wrote("a", K, 1, token("a", 1)));
        endsWithRows(Kept.State.FAILED, "", token("a", 1));
        assertThat(broken()).containsExactly(Rule.ROWS_AND_ENTRY);
    }

    @Test
    void anEntryWithoutItsRow() {
        asked("a", Promise.TRANSACTED);
        began("a", 1);
        say(new Line.Wrote("a", K, 1, token("a", 1)));
        done("a", 1);
        endsWithRows(Kept.State.COMPLETE, token("a", 1));
        assertThat(broken()).containsExactly(Rule.ROWS_AND_ENTRY);
    }
}
