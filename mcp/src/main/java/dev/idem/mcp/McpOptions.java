package dev.idem.mcp;

import dev.idem.Json;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a guard.
 *
 * @param name names the server; part of the scope of its calls
 * @param session the task that the calls belong to; null for the session {@code default}
 * @param repeatWindow how long a completed call without a given key answers its duplicates in the session {@code default}
 * @param trustsHints whether the hints of the server's tools count where no rule does
 * @param ownTools whether the guard offers tools of its own
 * @param restarts how often a server that ends is started again
 */
public record McpOptions(
        String name,
        @Nullable String session,
        Duration repeatWindow,
        McpRules rules,
        boolean trustsHints,
        boolean ownTools,
        int restarts) {
    /** The usual settings for a server of this name. */
    public static McpOptions of(String name) {
        return new McpOptions(name, null, Duration.ofMinutes(15), McpRules.NONE, false, false, 5);
    }

    /** A name for a server that has none: a digest of its command or URL. */
    public static String nameOf(List<String> command) {
        return CallKey.digest(Json.write(command)).substring(0, 12);
    }
}
