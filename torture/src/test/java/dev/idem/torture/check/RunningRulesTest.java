package dev.idem.torture.check;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What may run, and run again: each rule on a history that keeps it and on one that breaks it. */
class RunningRulesTest extends CheckedHistory {
    @Test
    void a_first_call_and_its_duplicates_are_fine() {
        asked("a");
        run("a", 1);
        done("a", 1);
        asked("b");
        answered("b", Answer.REPLAYED, 1, token("a", 1));
        ends(Kept.State.COMPLETE, 1, token("a", 1));
        assertThat(broken()).isEmpty();
    }

    @Test
    void one_ticket_for_two_calls() {
        asked("a");
        asked("b");
        began("a", 1);
        began("b", 1);
        assertThat(broken()).containsExactly(Rule.ONE_OWNER);
    }

    @Test
    void an_effect_under_a_ticket_that_took_effect_already() {
        asked("a");
        run("a", 1);
        effect("a", 1);
        assertThat(broken()).containsExactly(Rule.ONE_OWNER);
    }

    @Test
    void a_second_effect_that_nobody_declared_safe() {
        asked("a");
        run("a", 1);
        asked("b");
        run("b", 2);
        assertThat(broken()).contains(Rule.ONE_EFFECT);
    }

    @Test
    void a_second_effect_that_was_declared_safe() {
        asked("a", Promise.SAFE);
        run("a", 1);
        asked("b", Promise.SAFE);
        run("b", 2);
        done("b", 2);
        ends(Kept.State.COMPLETE, 2, token("b", 2));
        assertThat(broken()).isEmpty();
    }

    @Test
    void an_unknown_outcome_that_is_silently_run_again() {
        asked("a");
        began("a", 1);
        asked("b");
        began("b", 2);
        assertThat(broken()).containsExactly(Rule.NO_SILENT_RERUN);
    }

    @Test
    void a_definite_failure_may_be_run_again() {
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
    void an_ambiguous_failure_may_not() {
        asked("a");
        began("a", 1);
        threw("a", 1, false);
        asked("b");
        began("b", 2);
        assertThat(broken()).containsExactly(Rule.NO_SILENT_RERUN);
    }

    @Test
    void a_definite_failure_after_a_take_over_does_not_clear_the_doubt_before_it() {
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
    void a_staged_attempt_that_has_not_acted_may_be_run_again() {
        asked("a", Promise.STAGED);
        began("a", 1);
        asked("b", Promise.STAGED);
        run("b", 2);
        assertThat(broken()).isEmpty();
    }

    @Test
    void a_staged_attempt_that_acts_after_its_successor_began() {
        asked("a", Promise.STAGED);
        began("a", 1);
        asked("b", Promise.STAGED);
        began("b", 2);
        effect("a", 1);
        assertThat(broken()).containsExactly(Rule.NO_SILENT_RERUN);
    }

    @Test
    void a_probe_that_finds_nothing_frees_the_key() {
        asked("a", Promise.PROBE);
        began("a", 1);
        asked("b", Promise.PROBE);
        say(new Line.Probed("b", K, 2, false));
        run("b", 3);
        assertThat(broken()).isEmpty();
    }

    @Test
    void a_probe_that_finds_the_effect_does_not() {
        asked("a", Promise.PROBE);
        run("a", 1);
        asked("b", Promise.PROBE);
        say(new Line.Probed("b", K, 2, true));
        began("b", 3);
        assertThat(broken()).containsExactly(Rule.NO_SILENT_RERUN);
    }

    @Test
    void nothing_runs_after_it_was_complete_not_even_what_is_safe() {
        asked("a", Promise.SAFE);
        run("a", 1);
        done("a", 1);
        asked("b", Promise.SAFE);
        began("b", 2);
        assertThat(broken()).containsExactly(Rule.COMPLETE_IS_TERMINAL);
    }

    @Test
    void an_overtaken_owner_may_act_late_where_its_successor_was_declared_safe() {
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
