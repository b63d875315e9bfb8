package dev.idem.langchain4j;

import dev.idem.agent.tool.Guarded;
import dev.idem.agent.tool.Tool;
import dev.idem.agent.tool.ToolBuilder;
import dev.idem.agent.tool.ToolInput;
import dev.idem.json.Json;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.internal.JsonSchemaElementUtils;
import dev.langchain4j.service.tool.AiServiceTool;
import dev.langchain4j.service.tool.DefaultToolExecutor;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What LangChain4j and the annotation on its method say of a tool.
 *
 * @param guarded null where there is no method, or no annotation on it
 */
record Declaring(ToolSpecification specification, @Nullable Guarded guarded) {
    /** LangChain4j leaves this out where there are no parameters. */
    private static final Map<String, Object> NO_PARAMETERS = Map.of("type", "object", "properties", Map.of());

    static Declaring of(AiServiceTool bare) {
        Guarded guarded = bare.toolExecutor() instanceof DefaultToolExecutor method
                ? method.originalMethod().getAnnotation(Guarded.class)
                : null;
        return new Declaring(bare.toolSpecification(), guarded);
    }

    Tool tool() {
        String description = specification.description();
        ToolBuilder<ToolInput> tool = Tool.named(specification.name())
                .description(description == null ? "" : description)
                .schema(Json.write(schema()));
        return (guarded == null ? tool : tool.guarded(guarded)).build();
    }

    private Map<String, Object> schema() {
        return specification.parameters() == null
                ? NO_PARAMETERS
                : JsonSchemaElementUtils.toMap(specification.parameters());
    }
}
