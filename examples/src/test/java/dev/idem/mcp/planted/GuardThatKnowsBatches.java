package dev.idem.mcp.planted;

import dev.idem.agent.batch.Batch;

/** Breaks a rule, so that the rule is seen to go red. */
public final class GuardThatKnowsBatches {
    public final Class<?> type = Batch.class;
}
