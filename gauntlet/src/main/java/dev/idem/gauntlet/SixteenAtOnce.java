package dev.idem.gauntlet;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Sixteen callers start the same operation at a gate; it takes 50 ms. Only runs and values count here; {@link
 * WhileItRuns} judges duplicates that are dropped while the first still runs.
 */
final class SixteenAtOnce implements RightScenario {
    @Override
    public String name() {
        return "16 duplicates at once";
    }

    @Override
    public Verdict put(Arena arena) throws Exception {
        AtomicInteger runs = new AtomicInteger();
        Work work = () -> {
            runs.incrementAndGet();
            Arena.take(50);
            return "done";
        };
        List<Answer> answers = arena.together(16, () -> arena.call("k", work));
        long values = answers.stream().filter(answer -> answer.is("done")).count();
        long refused = answers.stream().filter(Answer::isRefused).count();
        long dropped = answers.stream().filter(Answer.Dropped.class::isInstance).count();
        long others = 16 - values - refused - dropped;
        boolean right = runs.get() == 1 && others == 0 && values >= 1;
        return Verdict.of(
                right,
                Verdict.runs(runs.get()) + ", " + values + " answered"
                        + (refused > 0 ? ", " + refused + " refused" : "")
                        + (dropped > 0 ? ", " + dropped + " dropped" : "")
                        + (others > 0 ? ", " + others + " got null" : ""));
    }
}
