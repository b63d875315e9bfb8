package dev.idem.agent.check;

import dev.idem.Json;
import dev.idem.Probe.Verdict;
import dev.idem.RemoteKeys;
import dev.idem.SideEffect;
import dev.idem.agent.tool.McpHints;
import dev.idem.agent.tool.Tool;
import dev.idem.agent.tool.ToolBuilder;
import dev.idem.agent.tool.ToolInput;
import dev.idem.agent.vet.ArgumentSchema;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Reads tools from a JSON list in the shape of MCP, OpenAI or Anthropic. What these have no words for stands in an
 * object {@code x-idem} of the tool: {@code side_effect}, {@code identity}, {@code content}, {@code ignore},
 * {@code remote} with {@code name} and {@code retention}, {@code retention}, {@code probe}, {@code approval},
 * {@code scope}.
 */
final class ToolLists {
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
            tool = McpHints.sideEffect(hints).map(tool::sideEffect).orElse(tool);
        }
        Map<?, ?> ours = members.get("x-idem") instanceof Map<?, ?> given ? given : Map.of();
        String scope = ours.get("scope") instanceof String given ? given : null;
        return new Checked(declared(tool, ours).build(), source, scope);
    }

    private static ToolBuilder<ToolInput> declared(ToolBuilder<ToolInput> tool, Map<?, ?> ours) {
        ToolBuilder<ToolInput> builder = tool;
        if (ours.get("side_effect") instanceof String word) {
            builder = builder.sideEffect(SideEffect.valueOf(word.toUpperCase(Locale.ROOT)));
        }
        builder = names(ours, "identity").length == 0 ? builder : builder.identity(names(ours, "identity"));
        builder = names(ours, "content").length == 0 ? builder : builder.content(names(ours, "content"));
        builder = names(ours, "ignore").length == 0 ? builder : builder.ignore(names(ours, "ignore"));
        builder = Boolean.TRUE.equals(ours.get("approval")) ? builder.approval() : builder;
        builder =
                Boolean.TRUE.equals(ours.get("probe")) ? builder.probe((doubted, input) -> Verdict.unknown()) : builder;
        if (ours.get("retention") instanceof String iso) {
            builder = builder.retention(Duration.parse(iso));
        }
        if (ours.get("remote") instanceof Map<?, ?> remote && remote.get("retention") instanceof String iso) {
            builder = builder.passesKeyTo(new RemoteKeys(String.valueOf(remote.get("name")), Duration.parse(iso)));
        }
        return builder;
    }

    private static String[] names(Map<?, ?> ours, String which) {
        return ours.get(which) instanceof List<?> names
                ? names.stream().map(String::valueOf).toArray(String[]::new)
                : new String[0];
    }
}
