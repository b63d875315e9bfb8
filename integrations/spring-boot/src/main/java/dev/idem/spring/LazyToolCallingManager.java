package dev.idem.spring;

import java.util.List;
import java.util.function.Supplier;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.model.tool.ToolCallingChatOptions;
import org.springframework.ai.model.tool.ToolCallingManager;
import org.springframework.ai.model.tool.ToolExecutionResult;
import org.springframework.ai.tool.definition.ToolDefinition;
import org.springframework.util.function.SingletonSupplier;

/** Looks for the tools of the application when a model first calls one: the beans need not exist before. */
final class LazyToolCallingManager implements ToolCallingManager {
    private final ToolCallingManager bare;
    private final SingletonSupplier<ToolCallingManager> guarded;

    LazyToolCallingManager(ToolCallingManager bare, Supplier<ToolCallingManager> guarded) {
        this.bare = bare;
        this.guarded = SingletonSupplier.of(guarded);
    }

    @Override
    public List<ToolDefinition> resolveToolDefinitions(ToolCallingChatOptions options) {
        return bare.resolveToolDefinitions(options);
    }

    @Override
    public ToolExecutionResult executeToolCalls(Prompt prompt, ChatResponse response) {
        return guarded.obtain().executeToolCalls(prompt, response);
    }
}
