package dev.idem.testkit.model;

import dev.idem.testkit.LedgerFixture;
import java.util.function.Supplier;

/**
 * Random schedules of claims, take-overs, heartbeats, marks, settles, resolves, forgets, purges, crashes and clock
 * steps, each compared step by step with an independent model of the rules. A schedule that differs names its seed;
 * {@code -Didem.seed=…} runs that one alone.
 */
final class RandomSchedules {
    /** The property that chooses one seed. */
    public static final String SEED = "idem.seed";

    private final Supplier<LedgerFixture> fixtures;

    /** {@code fixtures} supplies an empty store with settable clocks for each schedule. */
    public RandomSchedules(Supplier<LedgerFixture> fixtures) {
        this.fixtures = fixtures;
    }

    /** Runs schedules of this many steps with the seeds 1, 2, 3 …, or only the chosen seed. */
    public void run(int schedules, int steps) {
        Long chosen = Long.getLong(SEED);
        long first = chosen == null ? 1 : chosen;
        long last = chosen == null ? schedules : chosen;
        for (long seed = first; seed <= last; seed++) {
            try (Schedule schedule = new Schedule(fixtures.get(), seed)) {
                schedule.run(steps);
            }
        }
    }
}
