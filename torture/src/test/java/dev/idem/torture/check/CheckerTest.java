package dev.idem.torture.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Each rule on a history that keeps it and on one that breaks it. */
class CheckerTest {
    private static final String K = "s/charge/k1";

    private final Checker checker = new Checker();

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
    void lines_and_entries_are_read_as_they_were_written() {
        List<Line> lines = List.of(
                new Line.Asked("a", K, "i", EnumSet.of(Promise.SAFE, Promise.STAGED)),
                new Line.Asked("a", K, "i", EnumSet.noneOf(Promise.class)),
                new Line.Began("a", K, 7, 2),
                new Line.Effect("a", K, 7, token("a", 7)),
                new Line.Refused("a", K, 7),
                new Line.Threw("a", K, 7, true),
                new Line.Probed("a", K, 8, false),
                new Line.Answered("a", K, Answer.KEPT_FAILURE, 7, "why"));
        assertThat(lines).allSatisfy(line -> assertThat(Line.parse(line.text())).isEqualTo(line));
        Kept kept = new Kept(K, Kept.State.IN_DOUBT, 3, "");
        assertThat(Kept.parse(kept.text())).isEqualTo(kept);
    }

    @Test
    void a_text_that_was_changed_has_a_token_of_its_own() {
        Token token = new Token(K, "i", 3, "a", 500);
        assertThat(Token.nameIn(token.value())).isEqualTo(token.name());
        assertThat(Token.nameIn(token.value() + "!")).startsWith("corrupt:");
        assertThat(Token.nameIn(token.value().substring(0, 300))).startsWith("corrupt:");
        assertThat(Token.nameIn("anything")).startsWith("corrupt:");
    }

    private void asked(String call, Promise... promises) {
        Set<Promise> all = EnumSet.noneOf(Promise.class);
        all.addAll(Arrays.asList(promises));
        say(new Line.Asked(call, K, "i", all));
    }

    private void began(String call, long fence) {
        say(new Line.Began(call, K, fence, 1));
    }

    private void effect(String call, long fence) {
        say(new Line.Effect(call, K, fence, token(call, fence)));
    }

    private void run(String call, long fence) {
        began(call, fence);
        effect(call, fence);
    }

    private void threw(String call, long fence, boolean definite) {
        say(new Line.Threw(call, K, fence, definite));
    }

    private void done(String call, long fence) {
        answered(call, Answer.DONE, fence, token(call, fence));
    }

    private void answered(String call, Answer answer, long fence, String text) {
        say(new Line.Answered(call, K, answer, fence, text));
    }

    private void ends(Kept.State state, long fence, String token) {
        checker.finish(Map.of(K, new Kept(K, state, fence, token))::get);
    }

    private void endsWithRows(Kept.State state, String token, String... rows) {
        Kept kept = new Kept(K, state, 2, token).withRows(List.of(rows));
        assertThat(Kept.parse(kept.text())).isEqualTo(kept);
        checker.finish(Map.of(K, kept)::get);
    }

    private void forget(long fence, boolean done) {
        say(new Line.Forgetting("p", K, fence));
        say(new Line.Forgot("p", K, fence, done));
    }

    private void say(Line line) {
        checker.accept(line);
    }

    private static String token(String call, long fence) {
        return new Token(K, "i", fence, call, 0).name();
    }

    private List<Rule> broken() {
        return checker.violations().stream().map(Violation::rule).toList();
    }
}
