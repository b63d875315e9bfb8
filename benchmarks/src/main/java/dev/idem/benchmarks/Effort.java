package dev.idem.benchmarks;

import java.nio.file.Path;
import java.time.Duration;

/**
 * How long to measure.
 *
 * @param forks processes in which each single-thread measurement in memory is repeated
 * @param measured how long each of them measures, after as long a warm-up
 * @param rounds how often what is compared takes turns, after a few rounds of warm-up
 * @param calls how many calls a turn has
 * @param folder where files are made and removed again
 */
record Effort(int forks, Duration measured, int rounds, int calls, Path folder) {
    /** Two minutes. */
    static Effort quick(Path folder) {
        return new Effort(1, Duration.ofSeconds(3), 15, 200, folder);
    }

    /** A quarter of an hour at most. */
    static Effort full(Path folder) {
        return new Effort(3, Duration.ofSeconds(8), 60, 500, folder);
    }

    int warmUpRounds() {
        return rounds / 5 + 1;
    }
}
