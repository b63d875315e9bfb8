package dev.idem.benchmarks;

import java.nio.file.Path;
import java.time.Duration;

/**
 * The duration of the measurements.
 *
 * @param forks processes in which each single-thread measurement in memory is repeated
 * @param warmUp how long each of them warms up
 * @param measured how long each of them measures
 * @param rounds how often the compared sides take turns, after a few rounds of warm-up
 * @param calls how many calls a turn has
 * @param warmUpCalls how many calls each side makes at least before anything counts
 * @param folder where files are made and removed again
 */
record Effort(int forks, Duration warmUp, Duration measured, int rounds, int calls, int warmUpCalls, Path folder) {
    private static final int WARM_UP_CALLS = 50_000;

    /** Half an hour for all scenarios. */
    static Effort quick(Path folder) {
        return new Effort(1, Duration.ofSeconds(6), Duration.ofSeconds(3), 15, 200, WARM_UP_CALLS, folder);
    }

    /** Longer turns, and more of them. */
    static Effort full(Path folder) {
        return new Effort(3, Duration.ofSeconds(10), Duration.ofSeconds(8), 60, 500, WARM_UP_CALLS, folder);
    }

    /** As many calls in all, in shorter turns. */
    Effort inTurnsOf(int fewer) {
        return new Effort(forks, warmUp, measured, Math.max(1, rounds * calls / fewer), fewer, warmUpCalls, folder);
    }

    /** Enough rounds until both sides run compiled code. */
    int warmUpRounds() {
        return Math.max(rounds / 5 + 1, warmUpCalls / calls);
    }
}
