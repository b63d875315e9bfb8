package dev.idem.gauntlet;

import java.util.Set;

/** A question about correctness, put to every contender in the same way. */
interface RightScenario {
    String name();

    /** What a contender must offer to be asked. */
    default Set<Contender.Offer> needs() {
        return Set.of();
    }

    Verdict put(Arena arena) throws Exception;
}
