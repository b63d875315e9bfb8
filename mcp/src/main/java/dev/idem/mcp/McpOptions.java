package dev.idem.mcp;

import dev.idem.Json;
import dev.idem.agent.tool.McpCalls;
import dev.idem.mcp.guard.CallKey;
import dev.idem.mcp.guard.GuardSettings;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a guard:
 *
 * <pre>{@code
 * McpOptions options = McpOptions.of("mail").session("task-7").rules(McpRules.parse(text, "mail.yaml"));
 * }</pre>
 *
 * @param name names the server; part of the scope of its calls
 * @param session the task that the calls belong to; null for the session {@code default}
 * @param repeatWindow how long a completed call without a given key answers its duplicates in the session {@code default}
 * @param trustsHints whether the hints of the server's tools count where no rule does
 * @param ownTools whether the guard offers tools of its own
 * @param restarts how often a server that ends is started again
 * @param asks whether a person at the host is asked how a call in doubt ended, when the call is repeated
 * @param shadow whether every call is made, and those that would have been stopped are only told and counted
 * @param told gets what a person should know: rules that fit no tool, and calls that the shadow would have stopped
 */
public record McpOptions(
        String name,
        @Nullable String session,
        Duration repeatWindow,
        McpRules rules,
        boolean trustsHints,
        boolean ownTools,
        int restarts,
        boolean asks,
        boolean shadow,
        Consumer<String> told) {
    /** @throws IllegalArgumentException if the session is blank */
    public McpOptions {
        if (session != null && session.isBlank()) {
            throw new IllegalArgumentException(
                    "a session needs an id, such as \"task-7\"; leave it out for the session 'default'");
        }
    }

    /** The usual settings for a server of this name. */
    public static McpOptions of(String name) {
        return new McpOptions(
                name, null, McpCalls.REPEAT_WINDOW, McpRules.NONE, false, false, 5, true, false, words -> {});
    }

    /** A name for a server that has none: a digest of its command or URL. */
    public static String nameOf(List<String> command) {
        return CallKey.digest(Json.write(command)).substring(0, 12);
    }

    GuardSettings settings() {
        return new GuardSettings(name, session, repeatWindow, rules.tools(), trustsHints, ownTools, asks, shadow, told);
    }

    /** The same settings in this session. */
    public McpOptions session(@Nullable String now) {
        return new McpOptions(name, now, repeatWindow, rules, trustsHints, ownTools, restarts, asks, shadow, told);
    }

    /** The same settings with this window. */
    public McpOptions repeatWindow(Duration now) {
        return new McpOptions(name, session, now, rules, trustsHints, ownTools, restarts, asks, shadow, told);
    }

    /** The same settings with these rules. */
    public McpOptions rules(McpRules now) {
        return new McpOptions(name, session, repeatWindow, now, trustsHints, ownTools, restarts, asks, shadow, told);
    }

    /** The same settings; hints count or not. */
    public McpOptions trustsHints(boolean now) {
        return new McpOptions(name, session, repeatWindow, rules, now, ownTools, restarts, asks, shadow, told);
    }

    /** The same settings, with the guard's own tools or without. */
    public McpOptions ownTools(boolean now) {
        return new McpOptions(name, session, repeatWindow, rules, trustsHints, now, restarts, asks, shadow, told);
    }

    /** The same settings with so many restarts. */
    public McpOptions restarts(int now) {
        return new McpOptions(name, session, repeatWindow, rules, trustsHints, ownTools, now, asks, shadow, told);
    }

    /** The same settings; a person is asked or not. */
    public McpOptions asks(boolean now) {
        return new McpOptions(name, session, repeatWindow, rules, trustsHints, ownTools, restarts, now, shadow, told);
    }

    /** The same settings; duplicates are only told and counted, or stopped. */
    public McpOptions shadow(boolean now) {
        return new McpOptions(name, session, repeatWindow, rules, trustsHints, ownTools, restarts, asks, now, told);
    }

    /** The same settings; this gets what a person should know. */
    public McpOptions told(Consumer<String> now) {
        return new McpOptions(name, session, repeatWindow, rules, trustsHints, ownTools, restarts, asks, shadow, now);
    }
}
