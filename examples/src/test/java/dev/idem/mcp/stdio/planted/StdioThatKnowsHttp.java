package dev.idem.mcp.stdio.planted;

import dev.idem.mcp.http.SseEvents;

/** Breaks a rule, so that the rule is seen to go red. */
public final class StdioThatKnowsHttp {
    public final Class<?> type = SseEvents.class;
}
