package dev.idem.torture.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;

/** What callers are told and what stands in the end: each rule on a history that keeps it and on one that breaks it. */
class AnswerRulesTest extends CheckedHistory {
    @Test
    void a_call_that_finds_no_more_of_what_was_complete() {
        asked("a");
        run("a", 1);
        done("a", 1);
        asked("b");
        answered("b", Answer.IN_DOUBT, 0, "InDoubtException");
        assertThat(broken()).containsExactly(Rule.NOTHING_LOST);
    }

    @Test
    void a_call_that_was_made_before_it_was_complete_may_find_what_it_likes() {
        asked("b");
        asked("a");
        run("a", 1);
        done("a", 1);
        answered("b", Answer.IN_FLIGHT, 0, "InFlightException");
        assertThat(broken()).isEmpty();
    }

    @Test
    void a_complete_entry_that_is_gone_in_the_end() {
        asked("a");
        run("a", 1);
        done("a", 1);
        ends(Kept.State.ABSENT, 0, "");
        assertThat(broken()).contains(Rule.NOTHING_LOST);
    }

    @Test
    void two_values_for_one_key() {
        asked("a", Promise.SAFE);
        run("a", 1);
        asked("b", Promise.SAFE);
        run("b", 2);
        done("b", 2);
        answered("a", Answer.DONE, 1, token("a", 1));
        assertThat(broken()).containsExactly(Rule.SAME_BYTES);
    }

    @Test
    void another_value_in_the_end() {
        asked("a", Promise.SAFE);
        run("a", 1);
        asked("b", Promise.SAFE);
        run("b", 2);
        done("b", 2);
        ends(Kept.State.COMPLETE, 2, token("a", 1));
        assertThat(broken()).containsExactly(Rule.SAME_BYTES);
    }

    @Test
    void the_result_of_another_identity() {
        asked("a");
        run("a", 1);
        done("a", 1);
        say(new Line.Asked("b", K, "other", Set.of()));
        answered("b", Answer.REPLAYED, 1, token("a", 1));
        assertThat(broken()).containsExactly(Rule.OWN_IDENTITY);
    }

    @Test
    void another_identity_is_a_conflict() {
        asked("a");
        run("a", 1);
        done("a", 1);
        say(new Line.Asked("b", K, "other", Set.of()));
        answered("b", Answer.CONFLICT, 0, "ConflictException");
        assertThat(broken()).isEmpty();
    }

    @Test
    void a_conflict_without_another_identity() {
        asked("a");
        answered("a", Answer.CONFLICT, 0, "ConflictException");
        assertThat(broken()).containsExactly(Rule.CONFLICTS_HAVE_A_CAUSE);
    }

    @Test
    void a_conflict_with_what_this_identity_has_completed() {
        asked("a");
        run("a", 1);
        done("a", 1);
        say(new Line.Asked("b", K, "other", Set.of()));
        asked("c");
        answered("c", Answer.CONFLICT, 0, "ConflictException");
        assertThat(broken()).containsExactly(Rule.CONFLICTS_HAVE_A_CAUSE);
    }

    @Test
    void a_value_that_no_effect_has_made() {
        asked("a");
        answered("a", Answer.REPLAYED, 1, token("a", 1));
        assertThat(broken()).containsExactly(Rule.NOTHING_INVENTED);
    }

    @Test
    void a_value_that_nobody_made_in_the_end() {
        asked("a");
        began("a", 1);
        ends(Kept.State.COMPLETE, 1, token("a", 1));
        assertThat(broken()).containsExactly(Rule.NOTHING_INVENTED);
    }

    @Test
    void an_effect_that_is_said_to_have_failed() {
        asked("a");
        run("a", 1);
        answered("a", Answer.FAILED, 1, "IOException");
        assertThat(broken()).containsExactly(Rule.FAILED_MEANS_NOTHING);
    }

    @Test
    void an_earlier_effect_that_a_later_failure_denies() {
        asked("a", Promise.SAFE);
        run("a", 1);
        asked("b", Promise.SAFE);
        began("b", 2);
        threw("b", 2, true);
        answered("b", Answer.FAILED, 2, "NotExecutedException");
        assertThat(broken()).containsExactly(Rule.FAILED_MEANS_NOTHING);
    }

    @Test
    void an_effect_that_ends_as_failed() {
        asked("a");
        run("a", 1);
        ends(Kept.State.FAILED, 1, "");
        assertThat(broken()).containsExactly(Rule.FAILED_MEANS_NOTHING);
    }

    @Test
    void an_unknown_outcome_that_ends_as_failed() {
        asked("a");
        began("a", 1);
        ends(Kept.State.FAILED, 1, "");
        assertThat(broken()).containsExactly(Rule.DOUBT_IS_KEPT);
    }

    @Test
    void an_unknown_outcome_that_ends_in_doubt() {
        asked("a");
        run("a", 1);
        ends(Kept.State.IN_DOUBT, 1, "");
        assertThat(broken()).isEmpty();
    }

    @Test
    void a_kept_failure_that_runs_again() {
        asked("a", Promise.KEPT);
        began("a", 1);
        threw("a", 1, true);
        answered("a", Answer.KEPT_FAILURE, 1, "NotExecutedException");
        asked("b", Promise.KEPT);
        began("b", 2);
        assertThat(broken()).containsExactly(Rule.FAILURES_ARE_KEPT);
    }

    @Test
    void a_kept_failure_that_is_none_in_the_end() {
        asked("a", Promise.KEPT);
        began("a", 1);
        threw("a", 1, true);
        answered("a", Answer.KEPT_FAILURE, 1, "NotExecutedException");
        ends(Kept.State.IN_DOUBT, 1, "");
        assertThat(broken()).containsExactly(Rule.FAILURES_ARE_KEPT);
    }

    @Test
    void something_that_no_caller_expects() {
        asked("a");
        answered("a", Answer.SURPRISE, 0, "LedgerUnreadableException: it is damaged");
        assertThat(broken()).containsExactly(Rule.NO_SURPRISES);
    }

    @Test
    void a_ticket_that_outlives_its_owner() {
        asked("a");
        began("a", 1);
        ends(Kept.State.IN_PROGRESS, 1, "");
        assertThat(broken()).containsExactly(Rule.EVERYTHING_ENDS);
    }

    @Test
    void what_no_replica_has_confirmed_may_end_in_doubt() {
        asked("a");
        run("a", 1);
        asked("b");
        answered("b", Answer.UNCONFIRMED, 1, token("a", 1));
        ends(Kept.State.IN_DOUBT, 1, "");
        assertThat(broken()).isEmpty();
    }

    @Test
    void what_no_replica_has_confirmed_is_another_value_than_the_confirmed_one() {
        asked("a");
        run("a", 1);
        done("a", 1);
        asked("b");
        effect("b", 2);
        answered("b", Answer.UNCONFIRMED, 2, token("b", 2));
        assertThat(broken()).contains(Rule.SAME_BYTES);
    }
}
