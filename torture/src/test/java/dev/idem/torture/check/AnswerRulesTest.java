package dev.idem.torture.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;

/** Rules about answers and final entries, each on a history that keeps it and on one that breaks it. */
class AnswerRulesTest extends CheckedHistory {
    @Test
    void aCallThatFindsNoMoreOfWhatWasComplete() {
        asked("a");
        run("a", 1);
        done("a", 1);
        asked("b");
        answered("b", Answer.IN_DOUBT, 0, "InDoubtException");
        assertThat(broken()).containsExactly(Rule.NOTHING_LOST);
    }

    @Test
    void aCallThatWasMadeBeforeItWasCompleteMayFindWhatItLikes() {
        asked("b");
        asked("a");
        run("a", 1);
        done("a", 1);
        answered("b", Answer.IN_FLIGHT, 0, "InFlightException");
        assertThat(broken()).isEmpty();
    }

    @Test
    void aCompleteEntryThatIsGoneInTheEnd() {
        asked("a");
        run("a", 1);
        done("a", 1);
        ends(Kept.State.ABSENT, 0, "");
        assertThat(broken()).contains(Rule.NOTHING_LOST);
    }

    @Test
    void twoValuesForOneKey() {
        asked("a", Promise.SAFE);
        run("a", 1);
        asked("b", Promise.SAFE);
        run("b", 2);
        done("b", 2);
        answered("a", Answer.DONE, 1, token("a", 1));
        assertThat(broken()).containsExactly(Rule.SAME_BYTES);
    }

    @Test
    void anotherValueInTheEnd() {
        asked("a", Promise.SAFE);
        run("a", 1);
        asked("b", Promise.SAFE);
        run("b", 2);
        done("b", 2);
        ends(Kept.State.COMPLETE, 2, token("a", 1));
        assertThat(broken()).containsExactly(Rule.SAME_BYTES);
    }

    @Test
    void theResultOfAnotherIdentity() {
        asked("a");
        run("a", 1);
        done("a", 1);
        say(new Line.Asked("b", K, "other", Set.of()));
        answered("b", Answer.REPLAYED, 1, token("a", 1));
        assertThat(broken()).containsExactly(Rule.OWN_IDENTITY);
    }

    @Test
    void anotherIdentityIsAConflict() {
        asked("a");
        run("a", 1);
        done("a", 1);
        say(new Line.Asked("b", K, "other", Set.of()));
        answered("b", Answer.CONFLICT, 0, "ConflictException");
        assertThat(broken()).isEmpty();
    }

    @Test
    void aConflictWithoutAnotherIdentity() {
        asked("a");
        answered("a", Answer.CONFLICT, 0, "ConflictException");
        assertThat(broken()).containsExactly(Rule.CONFLICTS_HAVE_A_CAUSE);
    }

    @Test
    void aConflictWithWhatThisIdentityHasCompleted() {
        asked("a");
        run("a", 1);
        done("a", 1);
        say(new Line.Asked("b", K, "other", Set.of()));
        asked("c");
        answered("c", Answer.CONFLICT, 0, "ConflictException");
        assertThat(broken()).containsExactly(Rule.CONFLICTS_HAVE_A_CAUSE);
    }

    @Test
    void aValueThatNoEffectHasMade() {
        asked("a");
        answered("a", Answer.REPLAYED, 1, token("a", 1));
        assertThat(broken()).containsExactly(Rule.NOTHING_INVENTED);
    }

    @Test
    void aValueThatNobodyMadeInTheEnd() {
        asked("a");
        began("a", 1);
        ends(Kept.State.COMPLETE, 1, token("a", 1));
        assertThat(broken()).containsExactly(Rule.NOTHING_INVENTED);
    }

    @Test
    void anEffectThatIsSaidToHaveFailed() {
        asked("a");
        run("a", 1);
        answered("a", Answer.FAILED, 1, "IOException");
        assertThat(broken()).containsExactly(Rule.FAILED_MEANS_NOTHING);
    }

    @Test
    void anEarlierEffectThatALaterFailureDenies() {
        asked("a", Promise.SAFE);
        run("a", 1);
        asked("b", Promise.SAFE);
        began("b", 2);
        threw("b", 2, true);
        answered("b", Answer.FAILED, 2, "NotExecutedException");
        assertThat(broken()).containsExactly(Rule.FAILED_MEANS_NOTHING);
    }

    @Test
    void anEffectThatEndsAsFailed() {
        asked("a");
        run("a", 1);
        ends(Kept.State.FAILED, 1, "");
        assertThat(broken()).containsExactly(Rule.FAILED_MEANS_NOTHING);
    }

    @Test
    void anUnknownOutcomeThatEndsAsFailed() {
        asked("a");
        began("a", 1);
        ends(Kept.State.FAILED, 1, "");
        assertThat(broken()).containsExactly(Rule.DOUBT_IS_KEPT);
    }

    @Test
    void anUnknownOutcomeThatEndsInDoubt() {
        asked("a");
        run("a", 1);
        ends(Kept.State.IN_DOUBT, 1, "");
        assertThat(broken()).isEmpty();
    }

    @Test
    void aKeptFailureThatRunsAgain() {
        asked("a", Promise.KEPT);
        began("a", 1);
        threw("a", 1, true);
        answered("a", Answer.KEPT_FAILURE, 1, "NotExecutedException");
        asked("b", Promise.KEPT);
        began("b", 2);
        assertThat(broken()).containsExactly(Rule.FAILURES_ARE_KEPT);
    }

    @Test
    void aKeptFailureThatIsNoneInTheEnd() {
        asked("a", Promise.KEPT);
        began("a", 1);
        threw("a", 1, true);
        answered("a", Answer.KEPT_FAILURE, 1, "NotExecutedException");
        ends(Kept.State.IN_DOUBT, 1, "");
        assertThat(broken()).containsExactly(Rule.FAILURES_ARE_KEPT);
    }

    @Test
    void somethingThatNoCallerExpects() {
        asked("a");
        answered("a", Answer.SURPRISE, 0, "LedgerUnreadableException: it is damaged");
        assertThat(broken()).containsExactly(Rule.NO_SURPRISES);
    }

    @Test
    void aTicketThatOutlivesItsOwner() {
        asked("a");
        began("a", 1);
        ends(Kept.State.IN_PROGRESS, 1, "");
        assertThat(broken()).containsExactly(Rule.EVERYTHING_ENDS);
    }

    @Test
    void whatNoReplicaHasConfirmedMayEndInDoubt() {
        asked("a");
        run("a", 1);
        asked("b");
        answered("b", Answer.UNCONFIRMED, 1, token("a", 1));
        ends(Kept.State.IN_DOUBT, 1, "");
        assertThat(broken()).isEmpty();
    }

    @Test
    void whatNoReplicaHasConfirmedIsAnotherValueThanTheConfirmedOne() {
        asked("a");
        run("a", 1);
        done("a", 1);
        asked("b");
        effect("b", 2);
        answered("b", Answer.UNCONFIRMED, 2, token("b", 2));
        assertThat(broken()).contains(Rule.SAME_BYTES);
    }
}
