package dev.idem.langchain4j;

import dev.idem.Json;
import dev.idem.Policy;
import dev.idem.SideEffect;
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
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The declaration of a tool by LangChain4j and by the annotation on its method.
 *
 * @param once the annotation on the method; null where there is none
 * @param known the side effect by a hint or by LangChain4j itself; null where there is none
 */
record Declaring(
        ToolSpecification specification,
        @Nullable Once once,
        @Nullable SideEffect known) {
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
        SideEffect hinted = trusted ? hinted(bare).orElse(null) : null;
        return new Declaring(bare.toolSpecification(), once, reads ? SideEffect.READ : hinted);
    }

    /** The side effect by the hints of an MCP server. */
    static Optional<SideEffect> hinted(AiServiceTool bare) {
        Map<String, Object> metadata = bare.toolSpecification().metadata();
        return metadata == null ? Optional.empty() : McpHints.sideEffect(metadata);
    }

    Tool tool() {
        String description = specification.description();
        ToolBuilder<ToolInput> tool = Tool.named(specification.name())
                .description(description == null ? "" : description)
                .schema(Json.write(schema()));
        tool = known == null ? tool : tool.policy(Policy.of(known));
        return (once == null ? tool : tool.once(once)).build();
    }

    private Map<String, Object> schema() {
        return specification.parameters() == null
                ? NO_PARAMETERS
                : JsonSchemaElementUtils.toMap(specification.parameters());
    }
}
