package dev.idem.torture.worker;

import java.util.Random;

/** The behaviour of an action when it runs. */
enum Behaviour {
    QUICK(30),
    SLOW(22),
    LARGE(5),
    /** Throws an exception that always means that nothing happened. */
    DEFINITE(10),
    /** Throws an exception that the operation declares as definite. */
    DECLARED_DEFINITE(5),
    AMBIGUOUS_BEFORE(5),
    AMBIGUOUS_AFTER(6),
    /** Reports an ambiguous try, then fails definitely. */
    AMBIGUOUS_TRY(3),
    /** Runs on past its time limit and its lease before it acts. */
    LATE(5),
    /** Runs on past its time limit and its lease after it has acted. */
    LINGERING(5),
    /** Runs on past its time limit and its lease, then fails definitely: a successor may have acted. */
    LATE_DEFINITE(4);

    private final int weight;

    Behaviour(int weight) {
        this.weight = weight;
    }

    static Behaviour any(Random random) {
        int left = random.nextInt(100);
        for (Behaviour each : values()) {
            left -= each.weight;
            if (left < 0) {
                return each;
            }
        }
        return QUICK;
    }

    boolean overruns() {
        return this == LATE || this == LINGERING || this == LATE_DEFINITE;
    }
}
