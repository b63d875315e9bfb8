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

    /** Beside the status: that the result is an earlier one. */
    private static final String NOTE = "idem.note";

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
    static ToolExecutionResult forModel(ToolAnswer answer, @Nullable ToolExecutionResult ran) {
        if (answer.status() == ToolAnswer.Status.RAN && ran != null && hasContents(ran)) {
            Map<String, Object> attributes = new HashMap<>(ran.attributes());
            attributes.put(STATUS, answer.status().word());
            return ToolExecutionResult.builder()
                    .result(ran.result())
                    .resultContents(ran.resultContents())
                    .attributes(attributes)
                    .build();
        }
        Map<String, Object> attributes = new HashMap<>();
        attributes.put(STATUS, answer.status().word());
        answer.note().ifPresent(note -> attributes.put(NOTE, note));
        ToolExecutionResult.Builder said =
                ToolExecutionResult.builder().isError(answer.error()).attributes(attributes);
        if (answer instanceof ToolAnswer.Replayed replayed
                && replayed.value() instanceof Map<?, ?> kept
                && kept.get(MARK) instanceof String serialized) {
            return said.resultContents(again(serialized, replayed)).build();
        }
        return said.resultText(answer.text()).build();
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

    /** The kept contents, and the note as one more: a model that takes several contents takes that one too. */
    private static List<Content> again(String serialized, ToolAnswer.Replayed replayed) {
        ToolExecutionResultMessage kept =
                (ToolExecutionResultMessage) ChatMessageDeserializer.messageFromJson(serialized);
        List<Content> contents = new ArrayList<>(kept.contents());
        new ToolAnswer.Replayed(replayed.tool(), replayed.outcome())
                .note()
                .ifPresent(note -> contents.add(TextContent.from(note)));
        return contents;
    }
}
