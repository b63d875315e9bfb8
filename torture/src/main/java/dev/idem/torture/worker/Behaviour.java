package dev.idem.torture.worker;

import java.util.Random;

/** What the action of a call does when it is allowed to run. */
enum Behaviour {
    QUICK(46),
    SLOW(25),
    LARGE(6),
    /** Throws what always means that nothing happened. */
    DEFINITE(6),
    /** Throws what the operation declares to mean that nothing happened. */
    DECLARED_DEFINITE(3),
    AMBIGUOUS_BEFORE(2),
    AMBIGUOUS_AFTER(3),
    /** Reports an ambiguous try, then fails definitely. */
    AMBIGUOUS_TRY(1),
    /** Runs on past its time limit and its lease before it acts. */
    LATE(4),
    /** Runs on past its time limit and its lease after it has acted. */
    LINGERING(4);

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
        return this == LATE || this == LINGERING;
    }
}
