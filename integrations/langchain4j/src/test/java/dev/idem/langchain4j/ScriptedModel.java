package dev.idem.langchain4j;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.response.ChatResponse;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Supplier;

/** A model that says what a test has written down; all the rest of LangChain4j is real. */
final class ScriptedModel implements ChatModel {
    private final Deque<Supplier<AiMessage>> script = new ArrayDeque<>();
    private final List<ToolExecutionResultMessage> told = new ArrayList<>();
    private int calls;

    /** Next it calls this tool; its id of the call is another each time. */
    ScriptedModel calls(String tool, String arguments) {
        script.add(() -> AiMessage.from(ToolExecutionRequest.builder()
                .id("call_" + ++calls)
                .name(tool)
                .arguments(arguments)
                .build()));
        return this;
    }

    ScriptedModel says(String text) {
        script.add(() -> AiMessage.from(text));
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
    public ChatResponse doChat(ChatRequest request) {
        if (request.messages().get(request.messages().size() - 1) instanceof ToolExecutionResultMessage result) {
            told.add(result);
        }
        return ChatResponse.builder().aiMessage(script.remove().get()).build();
    }

    /** The texts of all tool results that it was given. */
    List<String> told() {
        return told.stream().map(ToolExecutionResultMessage::text).toList();
    }

    /** The statuses of these results, as programs see them. */
    List<Object> statuses() {
        return told.stream()
                .map(result -> result.attributes().get("idem.status"))
                .toList();
    }

    /** The notes beside them; empty where there is none. */
    List<String> notes() {
        return told.stream()
                .map(result -> String.valueOf(result.attributes().getOrDefault("idem.note", "")))
                .toList();
    }

    ToolExecutionResultMessage lastResult() {
        return told.get(told.size() - 1);
    }
}
