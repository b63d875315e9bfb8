package dev.idem.springai;

import java.util.List;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.definition.ToolDefinition;

/** Stands for a tool that the model has made up. */
record UnknownTool(String name, List<String> known) implements ToolCallback {
    @Override
    public ToolDefinition getToolDefinition() {
        return ToolDefinition.builder()
                .name(name)
                .description("does not exist")
                .inputSchema("{\"type\":\"object\"}")
                .build();
    }

    @Override
    public String call(String input) {
        String tools = known.isEmpty() ? "" : " The tools are: " + String.join(", ", known) + ".";
        return "There is no tool '" + name + "', so nothing was called." + tools;
    }
}
