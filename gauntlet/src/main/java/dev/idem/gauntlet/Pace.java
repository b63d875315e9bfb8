package dev.idem.gauntlet;

import java.time.Duration;

/**
 * The times of a run.
 *
 * @param slow how long a slow operation takes
 * @param lease the time after which an owner may be taken over
 * @param warmUp how long calls are made before they are measured
 * @param round how long a measurement lasts
 * @param rounds measurements, of which the median counts
 */
record Pace(Duration slow, Duration lease, Duration warmUp, Duration round, int rounds) {
    @Override
    public String toString() {
        return "slow operation " + slow.toMillis() + " ms, lease " + lease.toMillis() + " ms, " + rounds + " rounds of "
                + round.toMillis() + " ms after " + warmUp.toMillis() + " ms of warm-up";
    }

    static Pace full() {
        return new Pace(
                Duration.ofSeconds(5), Duration.ofMillis(500), Duration.ofSeconds(3), Duration.ofMillis(300), 9);
    }

    static Pace quick() {
        return new Pace(
                Duration.ofSeconds(1), Duration.ofMillis(300), Duration.ofMillis(800), Duration.ofMillis(100), 7);
    }
}
