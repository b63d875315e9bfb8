package dev.idem.mcp.guard.planted;

import dev.idem.mcp.stdio.Lines;

/** Breaks a rule, so that the rule is seen to go red. */
public final class GuardThatKnowsStdio {
    public final Class<?> type = Lines.class;
}
