package dev.idem.mcp.guard;

import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a guard.
 *
 * @param name names the server; part of the scope of its calls
 * @param session the task that the calls belong to; null for the session {@code default}
 * @param repeatWindow how long a completed call without a given key answers its duplicates in the session {@code default}
 * @param trustsHints whether the hints of the server's tools count where no rule does
 * @param ownTools whether the guard offers tools of its own
 * @param asks whether a person at the host is asked how a call in doubt ended, when the call is repeated
 * @param shadow whether every call is made, and those that would have been stopped are only told and counted
 * @param told gets what a person should know
 */
public record GuardSettings(
        String name,
        @Nullable String session,
        Duration repeatWindow,
        ToolRules rules,
        boolean trustsHints,
        boolean ownTools,
        boolean asks,
        boolean shadow,
        Consumer<String> told) {}
