package dev.idem.springai;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Supplier;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.messages.ToolResponseMessage;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;
import org.springframework.ai.chat.prompt.ChatOptions;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.model.tool.ToolCallingChatOptions;
import org.springframework.ai.model.tool.ToolCallingManager;
import org.springframework.ai.model.tool.ToolExecutionResult;
import org.springframework.util.ClassUtils;

/** A model that says what a test has written down; all the rest of Spring AI is real. */
final class ScriptedModel implements ChatModel {
    /** In 2.0 the client runs tools; in 1.1 each model does so itself, with the manager it was given. */
    private static final boolean CLIENT_RUNS_TOOLS = ClassUtils.isPresent(
            "org.springframework.ai.chat.client.advisor.ToolCallingAdvisor", ScriptedModel.class.getClassLoader());

    private final Deque<Supplier<AssistantMessage>> script = new ArrayDeque<>();
    private final List<String> told = new ArrayList<>();
    private final ToolCallingManager manager;
    private int calls;

    ScriptedModel() {
        this(ToolCallingManager.builder().build());
    }

    ScriptedModel(ToolCallingManager manager) {
        this.manager = manager;
    }

    /** Next it calls this tool; its id of the call is another each time. */
    ScriptedModel calls(String tool, String arguments) {
        script.add(() -> AssistantMessage.builder()
                .content("")
                .toolCalls(List.of(new AssistantMessage.ToolCall("call_" + ++calls, "function", tool, arguments)))
                .build());
        return this;
    }

    ScriptedModel says(String text) {
        script.add(() -> new AssistantMessage(text));
        return this;
    }

    /** Next the connection to the model breaks. */
    ScriptedModel breaksDown() {
        script.add(() -> {
            throw new IllegalStateException("the model can't be reached");
        });
        return this;
    }

    @Override
    public ChatResponse call(Prompt prompt) {
        List<Message> messages = prompt.getInstructions();
        if (messages.get(messages.size() - 1) instanceof ToolResponseMessage results) {
            results.getResponses().forEach(result -> told.add(result.responseData()));
        }
        ChatResponse response =
                new ChatResponse(List.of(new Generation(script.remove().get())));
        if (CLIENT_RUNS_TOOLS || !response.hasToolCalls()) {
            return response;
        }
        ToolExecutionResult executed = manager.executeToolCalls(prompt, response);
        return executed.returnDirect()
                ? new ChatResponse(ToolExecutionResult.buildGenerations(executed))
                : call(new Prompt(executed.conversationHistory(), prompt.getOptions()));
    }

    @Override
    public ChatOptions getDefaultOptions() {
        return ToolCallingChatOptions.builder().build();
    }

    /** The name of {@link #getDefaultOptions} in 2.0. */
    public ChatOptions getOptions() {
        return getDefaultOptions();
    }

    /** The texts of all tool results that it was given. */
    List<String> told() {
        return told;
    }
}
