package dev.idem.torture.check;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What is forgotten, expires or stands beside rows: each rule on a history that keeps it and on one that breaks it. */
class LeavingRulesTest extends CheckedHistory {
    @Test
    void a_forgotten_key_may_be_run_again_and_has_another_result() {
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
    void a_forget_that_was_refused_changes_nothing() {
        asked("a");
        run("a", 1);
        done("a", 1);
        forget(1, false);
        asked("b");
        run("b", 2);
        assertThat(broken()).contains(Rule.ONE_EFFECT, Rule.COMPLETE_IS_TERMINAL);
    }

    @Test
    void a_completion_that_was_forgotten_by_somebody_who_had_seen_a_doubt() {
        asked("a");
        run("a", 1);
        done("a", 1);
        forget(1, false, true);
        assertThat(broken()).containsExactly(Rule.NOTHING_LOST);
    }

    @Test
    void a_completion_that_was_acknowledged_after_somebody_had_seen_a_doubt_and_had_it_forgotten() {
        asked("a");
        run("a", 1);
        forget(1, false, true);
        done("a", 1);
        assertThat(broken()).containsExactly(Rule.NOTHING_LOST);
    }

    @Test
    void a_doubt_that_was_forgotten_is_no_completion_of_what_came_before_or_after() {
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
    void what_was_forgotten_may_be_absent_in_the_end() {
        asked("a");
        run("a", 1);
        done("a", 1);
        say(new Line.Forgetting("p", K, 1));
        ends(Kept.State.ABSENT, 0, "");
        assertThat(broken()).isEmpty();
    }

    @Test
    void a_fence_that_starts_anew_after_a_forget() {
        asked("a");
        run("a", 5);
        done("a", 5);
        forget(5, true);
        asked("b");
        began("b", 1);
        assertThat(broken()).contains(Rule.FENCES_GROW);
    }

    @Test
    void a_brief_entry_may_expire_and_run_again() {
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
    void a_brief_entry_in_doubt_never_expires() {
        asked("a", Promise.BRIEF);
        run("a", 1);
        threw("a", 1, false);
        asked("b", Promise.BRIEF);
        run("b", 2);
        assertThat(broken()).contains(Rule.ONE_EFFECT);
    }

    @Test
    void what_has_left_a_tombstone_is_said_to_have_expired() {
        asked("a", Promise.TOMBSTONED);
        run("a", 1);
        done("a", 1);
        asked("b", Promise.TOMBSTONED);
        answered("b", Answer.EXPIRED, 1, "ExpiredException");
        ends(Kept.State.EXPIRED, 1, "");
        assertThat(broken()).isEmpty();
    }

    @Test
    void what_has_left_a_tombstone_runs_again() {
        asked("a", Promise.TOMBSTONED);
        run("a", 1);
        done("a", 1);
        asked("b", Promise.TOMBSTONED);
        run("b", 2);
        assertThat(broken()).contains(Rule.ONE_EFFECT, Rule.COMPLETE_IS_TERMINAL);
    }

    @Test
    void what_was_said_to_have_expired_runs_again() {
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
    void a_tombstone_that_is_gone_in_the_end() {
        asked("a", Promise.TOMBSTONED);
        run("a", 1);
        answered("a", Answer.NONE, 0, "UnrecordedException");
        asked("b", Promise.TOMBSTONED);
        answered("b", Answer.EXPIRED, 1, "ExpiredException");
        ends(Kept.State.ABSENT, 0, "");
        assertThat(broken()).contains(Rule.NOTHING_LOST, Rule.FAILED_MEANS_NOTHING);
    }

    @Test
    void a_failure_that_is_said_to_have_expired() {
        asked("a", Promise.TOMBSTONED);
        began("a", 1);
        threw("a", 1, true);
        answered("a", Answer.FAILED, 1, "declined");
        asked("b", Promise.TOMBSTONED);
        answered("b", Answer.EXPIRED, 1, "ExpiredException");
        assertThat(broken()).containsExactly(Rule.EXPIRY_HAS_A_CAUSE);
    }

    @Test
    void an_entry_without_a_tombstone_that_is_said_to_have_expired() {
        asked("a");
        run("a", 1);
        done("a", 1);
        ends(Kept.State.EXPIRED, 1, "");
        assertThat(broken()).containsExactly(Rule.EXPIRY_HAS_A_CAUSE);
    }

    @Test
    void a_failure_expires_without_a_tombstone_and_its_fence_counts_on() {
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
    void a_row_and_its_entry_are_there_together() {
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
    void a_row_without_its_entry() {
        asked("a", Promise.TRANSACTED);
        began("a", 1);
        say(new Line.Wrote("a", K, 1, token("a", 1)));
        endsWithRows(Kept.State.FAILED, "", token("a", 1));
        assertThat(broken()).containsExactly(Rule.ROWS_AND_ENTRY);
    }

    @Test
    void an_entry_without_its_row() {
        asked("a", Promise.TRANSACTED);
        began("a", 1);
        say(new Line.Wrote("a", K, 1, token("a", 1)));
        done("a", 1);
        endsWithRows(Kept.State.COMPLETE, token("a", 1));
        assertThat(broken()).containsExactly(Rule.ROWS_AND_ENTRY);
    }
}
