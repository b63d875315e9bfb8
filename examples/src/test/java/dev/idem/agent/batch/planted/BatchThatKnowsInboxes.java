package dev.idem.agent.batch.planted;

import dev.idem.agent.inbox.Inbox;

/** Breaks a rule, so that the rule is seen to go red. */
public final class BatchThatKnowsInboxes {
    public final Class<?> type = Inbox.class;
}
