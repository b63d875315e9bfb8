package dev.idem.langchain4j;

import dev.langchain4j.service.tool.ToolExecutionResult;
import java.lang.System.Logger.Level;
import java.lang.reflect.Field;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Tells the time-outs of LangChain4j's MCP clients from results. Such a client answers a call that timed out with a
 * normal text and no error flag, and offers no way to ask about it later, so the text is read from its private field.
 * None of the MCP classes is needed on the class path.
 */
final class McpClients {
    private static final System.Logger LOG = System.getLogger("dev.idem.langchain4j");

    /** The text of a client after a time-out, unless its user has chosen another. */
    private static final String TIMEOUT = "There was a timeout executing the tool";

    private static final String EXTRACTOR = "dev.langchain4j.mcp.client.DefaultMcpToolResultExtractor";

    private final Set<String> warned = ConcurrentHashMap.newKeySet();

    /**
     * The texts that stand for a time-out.
     *
     * @param holders the executor of a tool and the provider that it came from: either may have clients
     */
    Set<String> timeouts(@Nullable Object... holders) {
        Set<String> texts = new HashSet<>(Set.of(TIMEOUT));
        for (Object holder : holders) {
            for (Object client : clients(holder)) {
                if (read(client, "toolExecutionTimeoutErrorMessage") instanceof String text) {
                    texts.add(text);
                } else {
                    warn(client, "it is not known how it answers a call that timed out");
                }
                Object extractor = read(client, "toolResultExtractor");
                if (extractor != null && !extractor.getClass().getName().equals(EXTRACTOR)) {
                    warn(extractor, "it may change the text with which a client answers a call that timed out");
                }
            }
        }
        return texts;
    }

    static boolean timedOut(ToolExecutionResult result, Set<String> timeouts) {
        try {
            return timeouts.contains(Contents.text(result));
        } catch (RuntimeException e) {
            return false; // a result without a text
        }
    }

    private static List<?> clients(@Nullable Object holder) {
        if (read(holder, "mcpClients") instanceof Collection<?> several) {
            return List.copyOf(several);
        }
        Object one = read(holder, "mcpClient");
        return one == null ? List.of() : List.of(one);
    }

    private void warn(Object of, String what) {
        if (warned.add(of.getClass().getName())) {
            LOG.log(
                    Level.WARNING,
                    "{0}: {1}. Idem takes only the text \"{2}\" for a time-out, and would replay any other as a result. "
                            + "Say what it answers: .with(\"tool_name\", tool -> tool.doubtIf(\"its text\"::equals))",
                    of.getClass().getName(),
                    what,
                    TIMEOUT);
        }
    }

    /** Null where there is no such field, or it may not be read. */
    private static @Nullable Object read(@Nullable Object from, String name) {
        for (Class<?> type = from == null ? null : from.getClass(); type != null; type = type.getSuperclass()) {
            if (type.getName().startsWith("dev.langchain4j.mcp.")) {
                try {
                    Field field = type.getDeclaredField(name);
                    field.setAccessible(true);
                    return field.get(from);
                } catch (ReflectiveOperationException | RuntimeException e) {
                    continue; // a superclass may have it
                }
            }
        }
        return null;
    }
}
