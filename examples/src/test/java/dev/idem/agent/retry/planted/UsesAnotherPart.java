package dev.idem.agent.retry.planted;

import dev.idem.agent.guard.Limits;

/** Breaks a rule, so that the rule is seen to go red. */
public final class UsesAnotherPart {
    public final Limits limits = Limits.none();
}
