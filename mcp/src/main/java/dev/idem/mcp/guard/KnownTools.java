package dev.idem.mcp.guard;

import dev.idem.Policy;
import dev.idem.SideEffect;
import dev.idem.agent.tool.McpHints;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

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

    boolean has(String tool) {
        return byName.containsKey(tool);
    }

    /** The names of the arguments of a tool; empty where its schema names none. */
    Set<String> arguments(String tool) {
        return byName.getOrDefault(tool, Map.of()).get("inputSchema") instanceof Map<?, ?> schema
                        && schema.get("properties") instanceof Map<?, ?> properties
                ? properties.keySet().stream().map(String::valueOf).collect(Collectors.toCollection(TreeSet::new))
                : Set.of();
    }

    /** The tools that say that they only read, and have no rule. */
    List<String> readsWithout(Set<String> ruled) {
        return byName.keySet().stream()
                .filter(tool -> !ruled.contains(tool))
                .filter(tool -> sideEffect(tool).filter(SideEffect.READ::equals).isPresent())
                .sorted()
                .toList();
    }

    /** The side effect that the hints of a tool tell; empty where they tell none. */
    Optional<SideEffect> sideEffect(String tool) {
        return byName.getOrDefault(tool, Map.of()).get("annotations") instanceof Map<?, ?> hints
                ? McpHints.sideEffect(hints)
                : Optional.empty();
    }

    /** The policy that the hints of a tool declare; an empty one if it has none. */
    Policy hinted(String tool) {
        return byName.getOrDefault(tool, Map.of()).get("annotations") instanceof Map<?, ?> hints
                ? McpHints.policy(hints)
                : Policy.unset();
    }

    /** Whether servers and clients check the results of a tool against a schema, so that only an error may differ. */
    boolean hasOutputSchema(String tool) {
        return byName.getOrDefault(tool, Map.of()).get("outputSchema") != null;
    }
}
