package dev.idem.mcpsdk;

import dev.idem.agent.session.Session;
import dev.idem.agent.session.Sessions;
import dev.idem.agent.tool.McpCalls;
import io.modelcontextprotocol.common.McpTransportContext;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The sessions of the calls of one server. Users never share one, whatever session they name. Thread-safe.
 *
 * @param users tells who calls; null where there is one user
 * @param configured the session of calls that name none; null for the default
 */
record Callers(
        Sessions sessions,
        String server,
        @Nullable Function<McpTransportContext, @Nullable String> users,
        @Nullable String configured) {
    private static final String LINE_TO_ADD = "a user to each call, as in `IdemMcp.users(idem, \"mail\", context -> "
            + "(String) context.get(\"user\"))`, with a contextExtractor of the transport that puts it there";

    /**
     * The session of a call.
     *
     * @param named the session that the call names; null where it names none
     */
    Session session(McpTransportContext context, @Nullable String named) {
        String user = users == null ? "" : users.apply(context);
        if (user == null || (users != null && user.isBlank())) {
            return sessions.withoutId(LINE_TO_ADD);
        }
        // Not the prefix of `idem mcp`: it would wait for itself where both guard one call on one ledger.
        return sessions.get("mcp-sdk:" + escaped(server) + ":" + escaped(user) + ":" + nameOf(named));
    }

    /** Whether a call that names this session belongs to the default one. */
    boolean isDefault(@Nullable String named) {
        return nameOf(named).equals(McpCalls.DEFAULT_SESSION);
    }

    private String nameOf(@Nullable String named) {
        String chosen = named == null ? configured : named;
        return chosen == null ? McpCalls.DEFAULT_SESSION : chosen;
    }

    /** Without colons, so that no user and session together look like another user and session. */
    private static String escaped(String part) {
        return part.replace("%", "%25").replace(":", "%3A");
    }
}
