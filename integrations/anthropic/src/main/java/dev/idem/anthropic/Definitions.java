package dev.idem.anthropic;

import com.anthropic.core.JsonField;
import com.anthropic.core.JsonValue;
import com.anthropic.models.messages.Tool.InputSchema;
import dev.idem.agent.tool.Tool;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The definitions of tools for the model. */
final class Definitions {
    private static final Map<String, @Nullable Object> ANYTHING = Map.of("type", "object");

    private Definitions() {}

    static com.anthropic.models.messages.Tool of(Tool tool) {
        com.anthropic.models.messages.Tool.Builder definition =
                com.anthropic.models.messages.Tool.builder().name(tool.name()).inputSchema(schema(tool));
        return tool.description().isEmpty()
                ? definition.build()
                : definition.description(tool.description()).build();
    }

    /** As it is: the client's own type knows a part of JSON Schema only. */
    @SuppressWarnings("unchecked") // the way that the client offers for values it has no type for
    private static JsonField<InputSchema> schema(Tool tool) {
        return JsonValue.from(tool.schema().map(schema -> schema.json()).orElse(ANYTHING));
    }
}
