package dev.idem.langchain4j;

import dev.idem.agent.tool.ToolAnswer;
import dev.langchain4j.data.message.ChatMessageDeserializer;
import dev.langchain4j.data.message.ChatMessageSerializer;
import dev.langchain4j.data.message.Content;
import dev.langchain4j.data.message.TextContent;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.service.tool.ToolExecutionResult;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The results of LangChain4j's tools, as the ledger stores them and as the model gets them. */
final class Contents {
    /** Stands for a result that is not plain text, in LangChain4j's own form. */
    private static final String MARK = "langchain4j.contents";

    /** Not sent to the model; for programs that look at the memory or at the executions. */
    private static final String STATUS = "idem.status";

    private Contents() {}

    /** The stored result: text, or contents such as images. */
    static @Nullable Object toKeep(ToolExecutionResult result) {
        try {
            List<Content> contents = result.resultContents();
            return isText(contents) ? text(result) : Map.of(MARK, serialized(contents));
        } catch (RuntimeException e) {
            // It ran and has no text. Its result is stored as it is, or recorded as not replayable.
            return result.result();
        }
    }

    /** The result for the model. */
    static ToolExecutionResult told(ToolAnswer answer, @Nullable ToolExecutionResult ran) {
        if (answer.status() == ToolAnswer.Status.RAN && ran != null && hasContents(ran)) {
            Map<String, Object> attributes = new HashMap<>(ran.attributes());
            attributes.put(STATUS, answer.status().word());
            return ToolExecutionResult.builder()
                    .result(ran.result())
                    .resultContents(ran.resultContents())
                    .attributes(attributes)
                    .build();
        }
        ToolExecutionResult.Builder told = ToolExecutionResult.builder()
                .isError(answer.error())
                .attributes(Map.of(STATUS, answer.status().word()));
        if (answer instanceof ToolAnswer.Replayed replayed
                && replayed.value() instanceof Map<?, ?> kept
                && kept.get(MARK) instanceof String serialized) {
            return told.resultContents(again(serialized, replayed)).build();
        }
        return told.resultText(answer.text()).build();
    }

    static String text(ToolExecutionResult result) {
        StringBuilder text = new StringBuilder();
        for (Content content : result.resultContents()) {
            text.append(content instanceof TextContent words ? words.text() : content.toString());
        }
        return text.toString();
    }

    private static boolean hasContents(ToolExecutionResult result) {
        try {
            return !result.resultContents().isEmpty();
        } catch (RuntimeException e) {
            return false;
        }
    }

    private static boolean isText(List<Content> contents) {
        return contents.size() == 1 && contents.get(0) instanceof TextContent;
    }

    private static String serialized(List<Content> contents) {
        return ChatMessageSerializer.messageToJson(ToolExecutionResultMessage.builder()
                .id("kept")
                .toolName("kept")
                .contents(contents)
                .build());
    }

    private static List<Content> again(String serialized, ToolAnswer.Replayed replayed) {
        ToolExecutionResultMessage kept =
                (ToolExecutionResultMessage) ChatMessageDeserializer.messageFromJson(serialized);
        List<Content> contents = new ArrayList<>(kept.contents());
        contents.add(TextContent.from("Note: '" + replayed.tool() + "' had already run for this at "
                + replayed.outcome().executedAt() + ". This is the result of that run; nothing ran again."));
        return contents;
    }
}
