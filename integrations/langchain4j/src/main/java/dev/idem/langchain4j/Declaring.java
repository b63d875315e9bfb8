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

/** What LangChain4j and the annotations on a method say of a tool. */
final class Declaring {
    /** LangChain4j leaves this out where there are no parameters. */
    private static final Map<String, Object> NO_PARAMETERS = Map.of("type", "object", "properties", Map.of());

    private Declaring() {}

    static Tool tool(AiServiceTool bare) {
        ToolSpecification specification = bare.toolSpecification();
        ToolBuilder<ToolInput> tool = Tool.named(specification.name())
                .description(specification.description() == null ? "" : specification.description())
                .schema(Json.write(
                        specification.parameters() == null
                                ? NO_PARAMETERS
                                : JsonSchemaElementUtils.toMap(specification.parameters())));
        if (bare.toolExecutor() instanceof DefaultToolExecutor method) {
            Guarded guarded = method.originalMethod().getAnnotation(Guarded.class);
            tool = guarded == null ? tool : tool.guarded(guarded);
        }
        return tool.build();
    }
}
