package dev.idem.agent.check;

import dev.idem.Json;
import dev.idem.Policy;
import dev.idem.Probe.Verdict;
import dev.idem.agent.provider.Provider;
import dev.idem.agent.tool.McpHints;
import dev.idem.agent.tool.Tool;
import dev.idem.agent.tool.ToolBuilder;
import dev.idem.agent.tool.ToolInput;
import dev.idem.agent.vet.ArgumentSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Reads tools from a JSON list in the shape of MCP, OpenAI or Anthropic. A tool may have an object {@code x-idem}. Its
 * members {@code identity}, {@code content} and {@code ignore} name fields, {@code probe} says that there is a probe,
 * and {@code scope} names the scope of the calls. All other members are options of {@link Policy#parse}, such as
 * {@code "side_effect": "write"} or {@code "passes_key_to": "Stripe 24h"}.
 */
final class ToolLists {
    private static final Set<String> NO_POLICY = Set.of("identity", "content", "ignore", "probe", "scope");

    private ToolLists() {}

    static List<Checked> parse(String json, String source) {
        Object list = Json.parse(json);
        if (list instanceof Map<?, ?> members && members.get("result") instanceof Map<?, ?> answer) {
            list = answer;
        }
        if (list instanceof Map<?, ?> members && members.get("tools") instanceof List<?> tools) {
            list = tools;
        }
        if (!(list instanceof List<?> tools)) {
            throw new IllegalArgumentException(
                    source + " is no list of tools; it must be a JSON array, or an object with \"tools\"");
        }
        List<Checked> checked = new ArrayList<>();
        for (Object tool : tools) {
            if (!(tool instanceof Map<?, ?> members)) {
                throw new IllegalArgumentException(source + " holds a tool that is no JSON object");
            }
            checked.add(checked(members, source));
        }
        return checked;
    }

    private static Checked checked(Map<?, ?> members, String source) {
        Map<?, ?> function = members.get("function") instanceof Map<?, ?> inner ? inner : members;
        if (!(function.get("name") instanceof String name) || name.isBlank()) {
            throw new IllegalArgumentException(source + " holds a tool without a name");
        }
        ToolBuilder<ToolInput> tool = Tool.named(name);
        for (String schemaName : List.of("inputSchema", "input_schema", "parameters")) {
            if (function.get(schemaName) instanceof Map<?, ?> schema) {
                tool = tool.schema(ArgumentSchema.parse(Json.write(schema)));
            }
        }
        if (members.get("annotations") instanceof Map<?, ?> hints) {
            tool = tool.policy(McpHints.sideEffect(hints).map(Policy::of).orElse(Policy.unset()));
        }
        Map<?, ?> ours = members.get("x-idem") instanceof Map<?, ?> given ? given : Map.of();
        String scope = ours.get("scope") instanceof String given ? given : null;
        return new Checked(declared(tool, ours).build(), source, scope);
    }

    private static ToolBuilder<ToolInput> declared(ToolBuilder<ToolInput> tool, Map<?, ?> ours) {
        ToolBuilder<ToolInput> builder = tool;
        builder = names(ours, "identity").length == 0 ? builder : builder.identity(names(ours, "identity"));
        builder = names(ours, "content").length == 0 ? builder : builder.content(names(ours, "content"));
        builder = names(ours, "ignore").length == 0 ? builder : builder.ignore(names(ours, "ignore"));
        builder =
                Boolean.TRUE.equals(ours.get("probe")) ? builder.probe((doubted, input) -> Verdict.unknown()) : builder;
        String policy = ours.entrySet().stream()
                .filter(member -> !NO_POLICY.contains(String.valueOf(member.getKey())))
                .map(member -> member.getKey() + ": " + member.getValue())
                .collect(Collectors.joining("\n"));
        return builder.policy(Policy.parse(policy, Provider::remote));
    }

    private static String[] names(Map<?, ?> ours, String which) {
        return ours.get(which) instanceof List<?> names
                ? names.stream().map(String::valueOf).toArray(String[]::new)
                : new String[0];
    }
}
