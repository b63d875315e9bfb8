package dev.idem.springai;

import dev.idem.Policy;
import dev.idem.agent.tool.McpHints;
import dev.idem.agent.tool.Tool;
import dev.idem.agent.tool.ToolBuilder;
import dev.idem.agent.tool.ToolInput;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.springframework.ai.tool.definition.ToolDefinition;

/** The declarations of tools by their names. */
record Declarations(Map<String, UnaryOperator<ToolBuilder<ToolInput>>> byName) {
    static final Declarations NONE = new Declarations(Map.of());

    /** These, and after them others. */
    Declarations and(Map<String, UnaryOperator<ToolBuilder<ToolInput>>> others) {
        Map<String, UnaryOperator<ToolBuilder<ToolInput>>> all = new LinkedHashMap<>(byName);
        others.forEach((name, change) -> {
            UnaryOperator<ToolBuilder<ToolInput>> before = all.getOrDefault(name, UnaryOperator.identity());
            all.put(name, tool -> change.apply(before.apply(tool)));
        });
        return new Declarations(all);
    }

    /**
     * The tool by its definition in Spring AI and its declarations.
     *
     * @param hinted the policy by the hints of a trusted MCP server
     */
    Tool tool(ToolDefinition definition, Policy hinted) {
        ToolBuilder<ToolInput> tool = Tool.named(definition.name()).description(definition.description());
        String schema = definition.inputSchema();
        tool = schema.isBlank() ? tool : tool.schema(schema);
        tool = byName.getOrDefault(definition.name(), UnaryOperator.identity()).apply(tool);
        return McpHints.trusted(tool.build(), hinted);
    }
}
