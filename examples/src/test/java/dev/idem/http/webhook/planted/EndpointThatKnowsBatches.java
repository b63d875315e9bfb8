package dev.idem.http.webhook.planted;

import dev.idem.agent.batch.Batch;

/** Breaks a rule, so that the rule is seen to go red. */
public final class EndpointThatKnowsBatches {
    public final Class<?> type = Batch.class;
}
