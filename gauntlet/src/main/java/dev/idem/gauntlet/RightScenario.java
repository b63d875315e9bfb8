package dev.idem.gauntlet;

import java.util.Set;

/** A test of correctness, the same for every contender. */
interface RightScenario {
    String name();

    /** The features that a contender needs for this scenario. */
    default Set<Contender.Offer> needs() {
        return Set.of();
    }

    Verdict put(Arena arena) throws Exception;
}
