package dev.idem.gauntlet;

import java.time.Duration;

/**
 * How long things take.
 *
 * @param slow the time an operation takes that others must wait for
 * @param lease the time after which an owner may be taken over
 * @param calls calls for each measurement
 * @param rounds measurements, of which the median counts
 */
record Pace(Duration slow, Duration lease, int calls, int rounds) {
    static Pace full() {
        return new Pace(Duration.ofSeconds(5), Duration.ofMillis(500), 2_000, 9);
    }

    static Pace quick() {
        return new Pace(Duration.ofSeconds(1), Duration.ofMillis(300), 500, 5);
    }
}
