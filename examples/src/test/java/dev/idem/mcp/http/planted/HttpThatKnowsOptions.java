package dev.idem.mcp.http.planted;

import dev.idem.mcp.McpOptions;

/** Breaks a rule, so that the rule is seen to go red. */
public final class HttpThatKnowsOptions {
    public final Class<?> type = McpOptions.class;
}
