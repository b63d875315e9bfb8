package dev.idem.springai;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.model.tool.ToolCallingChatOptions;
import org.springframework.ai.model.tool.ToolCallingManager;
import org.springframework.ai.model.tool.ToolExecutionResult;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.definition.ToolDefinition;
import org.springframework.ai.tool.resolution.ToolCallbackResolver;

/** Hands the calls of a model to another manager, which sees guarded tools only. */
final class GuardedManager implements ToolCallingManager {
    private final IdemTools tools;
    private final ToolCallingManager bare;
    private final ToolCallbackResolver resolver;

    GuardedManager(IdemTools tools, ToolCallingManager bare, ToolCallbackResolver resolver) {
        this.tools = tools;
        this.bare = bare;
        this.resolver = resolver;
    }

    @Override
    public List<ToolDefinition> resolveToolDefinitions(ToolCallingChatOptions options) {
        return bare.resolveToolDefinitions(options);
    }

    @Override
    public ToolExecutionResult executeToolCalls(Prompt prompt, ChatResponse response) {
        Map<String, ToolCallback> guarded = new LinkedHashMap<>();
        Map<String, Object> context = Map.of();
        if (prompt.getOptions() instanceof ToolCallingChatOptions options) {
            List<ToolCallback> given = options.getToolCallbacks();
            for (ToolCallback callback : given == null ? List.<ToolCallback>of() : given) {
                guarded.put(callback.getToolDefinition().name(), tools.guard(callback));
            }
            context = options.getToolContext() == null ? Map.of() : options.getToolContext();
        }
        List<String> known = List.copyOf(guarded.keySet());
        for (Generation generation : response.getResults()) {
            for (AssistantMessage.ToolCall call : generation.getOutput().getToolCalls()) {
                guarded.computeIfAbsent(call.name(), name -> resolved(name, known));
            }
        }
        ToolCallingChatOptions all = ToolCallingChatOptions.builder()
                .toolCallbacks(List.copyOf(guarded.values()))
                .toolContext(context)
                .build();
        return bare.executeToolCalls(new Prompt(prompt.getInstructions(), all), response);
    }

    private ToolCallback resolved(String name, List<String> known) {
        ToolCallback found = resolver.resolve(name);
        return found == null ? new UnknownTool(name, known) : tools.guard(found);
    }

    /** Stands for a tool that the model has made up. */
    private record UnknownTool(String name, List<String> known) implements ToolCallback {
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
}
