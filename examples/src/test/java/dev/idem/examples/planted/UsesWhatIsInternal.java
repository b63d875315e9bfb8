package dev.idem.examples.planted;

import dev.idem.internal.call.Plan;

/** Breaks a rule, so that the rule is seen to go red. */
public final class UsesWhatIsInternal {
    public final Plan plan = Plan.UNSET;
}
