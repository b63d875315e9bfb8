package dev.idem.mcp;

import dev.idem.SideEffect;
import dev.idem.agent.tool.McpHints;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** The tools of the server, as its lists describe them. Thread-safe. */
final class KnownTools {
    private final Map<String, Map<?, ?>> byName = new ConcurrentHashMap<>();

    /** Reads a response to {@code tools/list}. */
    void learn(Message response) {
        if (response.result("tools") instanceof List<?> tools) {
            for (Object each : tools) {
                if (each instanceof Map<?, ?> tool && tool.get("name") instanceof String name) {
                    byName.put(name, tool);
                }
            }
        }
    }

    /** The side effect that the hints of a tool tell; empty where they tell none. */
    Optional<SideEffect> sideEffect(String tool) {
        return byName.getOrDefault(tool, Map.of()).get("annotations") instanceof Map<?, ?> hints
                ? McpHints.sideEffect(hints)
                : Optional.empty();
    }

    /** Whether the server may check what a tool gives, after the tool has acted. Unknown before its list was seen. */
    boolean mayCheckResults(String tool) {
        return byName.isEmpty() || hasOutputSchema(tool);
    }

    /** Whether clients check the results of a tool against a schema, so that only an error may have another form. */
    boolean hasOutputSchema(String tool) {
        return byName.getOrDefault(tool, Map.of()).get("outputSchema") != null;
    }
}
