package dev.idem.openai;

import com.openai.core.JsonValue;
import com.openai.models.FunctionDefinition;
import com.openai.models.FunctionParameters;
import dev.idem.agent.tool.Tool;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The definitions of tools for the model. */
final class Definitions {
    private static final Map<String, @Nullable Object> ANYTHING = Map.of("type", "object", "properties", Map.of());

    private Definitions() {}

    static FunctionDefinition of(Tool tool) {
        FunctionDefinition.Builder definition =
                FunctionDefinition.builder().name(tool.name()).parameters(parameters(tool));
        return tool.description().isEmpty()
                ? definition.build()
                : definition.description(tool.description()).build();
    }

    private static FunctionParameters parameters(Tool tool) {
        FunctionParameters.Builder parameters = FunctionParameters.builder();
        tool.schema()
                .map(schema -> schema.json())
                .orElse(ANYTHING)
                .forEach((name, value) -> parameters.putAdditionalProperty(name, JsonValue.from(value)));
        return parameters.build();
    }
}
