package dev.idem.torture.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A history that a test tells step by step, and that the checker then judges. */
abstract class CheckedHistory {
    static final String K = "s/charge/k1";

    private final Checker checker = new Checker();

    final void asked(String call, Promise... promises) {
        Set<Promise> all = EnumSet.noneOf(Promise.class);
        all.addAll(Arrays.asList(promises));
        say(new Line.Asked(call, K, "i", all));
    }

    final void began(String call, long fence) {
        say(new Line.Began(call, K, fence, 1));
    }

    final void effect(String call, long fence) {
        say(new Line.Effect(call, K, fence, token(call, fence)));
    }

    final void run(String call, long fence) {
        began(call, fence);
        effect(call, fence);
    }

    final void threw(String call, long fence, boolean definite) {
        say(new Line.Threw(call, K, fence, definite));
    }

    final void done(String call, long fence) {
        answered(call, Answer.DONE, fence, token(call, fence));
    }

    final void answered(String call, Answer answer, long fence, String text) {
        say(new Line.Answered(call, K, answer, fence, text));
    }

    final void ends(Kept.State state, long fence, String token) {
        checker.finish(Map.of(K, new Kept(K, state, fence, token))::get);
    }

    final void endsWithRows(Kept.State state, String token, String... rows) {
        Kept kept = new Kept(K, state, 2, token).withRows(List.of(rows));
        assertThat(Kept.parse(kept.text())).isEqualTo(kept);
        checker.finish(Map.of(K, kept)::get);
    }

    final void forget(long fence, boolean done) {
        forget(fence, true, done);
    }

    final void forget(long fence, boolean knowing, boolean done) {
        say(new Line.Forgetting("p", K, fence));
        say(new Line.Forgot("p", K, fence, knowing, done));
    }

    final void say(Line line) {
        checker.accept(line);
    }

    static String token(String call, long fence) {
        return new Token(K, "i", fence, call, 0).name();
    }

    final List<Rule> broken() {
        return checker.violations().stream().map(Violation::rule).toList();
    }
}
