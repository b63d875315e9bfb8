package dev.idem.examples.planted;

import dev.idem.internal.Plan;

/** Breaks a rule, so that the rule is seen to go red. */
public final class UsesWhatIsInternal {
    public final Plan plan = new Plan("charge");
}
