package dev.idem.langchain4j;

import dev.idem.Json;
import dev.idem.Policy;
import dev.idem.agent.adapter.ToolDeclarations;
import dev.idem.agent.tool.McpHints;
import dev.idem.agent.tool.Once;
import dev.idem.agent.tool.Tool;
import dev.idem.agent.tool.ToolBuilder;
import dev.idem.agent.tool.ToolInput;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.internal.JsonSchemaElementUtils;
import dev.langchain4j.service.tool.AiServiceTool;
import dev.langchain4j.service.tool.DefaultToolExecutor;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The declaration of a tool by LangChain4j and by the annotation on its method.
 *
 * @param once the annotation on the method; null where there is none
 * @param known the policy by hints or by LangChain4j itself; it is below all other declarations
 */
record Declaring(ToolSpecification specification, @Nullable Once once, Policy known) {
    /** The tools with which LangChain4j itself lists and reads the resources of MCP servers. */
    private static final String RESOURCES = "dev.langchain4j.mcp.resourcesastools";

    /** LangChain4j leaves this out where there are no parameters. */
    private static final Map<String, Object> NO_PARAMETERS = Map.of("type", "object", "properties", Map.of());

    /**
     * @param trusted whether the hints of an MCP server count
     */
    static Declaring of(AiServiceTool bare, boolean trusted) {
        Once once = bare.toolExecutor() instanceof DefaultToolExecutor method
                ? method.originalMethod().getAnnotation(Once.class)
                : null;
        boolean reads = bare.toolExecutor().getClass().getPackageName().equals(RESOURCES);
        Policy hinted = trusted ? hinted(bare) : Policy.unset();
        return new Declaring(bare.toolSpecification(), once, reads ? Policy.read() : hinted);
    }

    /** The policy by the hints of an MCP server. */
    static Policy hinted(AiServiceTool bare) {
        Map<String, Object> metadata = bare.toolSpecification().metadata();
        return metadata == null ? Policy.unset() : McpHints.policy(metadata);
    }

    /** The tool with the declarations of its name. */
    Tool tool(ToolDeclarations byName) {
        String description = specification.description();
        ToolBuilder<ToolInput> tool = Tool.named(specification.name())
                .description(description == null ? "" : description)
                .schema(Json.write(schema()));
        return byName.tool(specification.name(), once == null ? tool : tool.once(once), known);
    }

    private Map<String, Object> schema() {
        return specification.parameters() == null
                ? NO_PARAMETERS
                : JsonSchemaElementUtils.toMap(specification.parameters());
    }
}
