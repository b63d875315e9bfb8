package dev.idem.examples.agents;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Idem;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
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

class LoopingModelTest {
    private static final int ENOUGH = 10;

    /** Asks for the stock again and again, until it is told that this does not help. */
    private static final class Stuck implements ChatModel {
        private final ToolCallingManager manager = ToolCallingManager.builder().build();
        private int asked;

        @Override
        public ChatResponse call(Prompt prompt) {
            String told = lastResult(prompt.getInstructions());
            if (told.contains("another run would not help") || ++asked > ENOUGH) {
                return said(new AssistantMessage(told));
            }
            ChatResponse response = said(AssistantMessage.builder()
                    .content("")
                    .toolCalls(List.of(new AssistantMessage.ToolCall(
                            "call_" + asked, "function", "stock", "{\"item\":\"teapot\"}")))
                    .build());
            return call(
                    new Prompt(manager.executeToolCalls(prompt, response).conversationHistory(), prompt.getOptions()));
        }

        private static ChatResponse said(AssistantMessage message) {
            return new ChatResponse(List.of(new Generation(message)));
        }

        private static String lastResult(List<Message> messages) {
            return messages.get(messages.size() - 1) instanceof ToolResponseMessage results
                    ? results.getResponses().get(0).responseData()
                    : "";
        }

        @Override
        public ChatOptions getDefaultOptions() {
            return ToolCallingChatOptions.builder().build();
        }
    }

    @Test
    void theThirdIdenticalCallIsStoppedAndTheModelIsToldTheResult() {
        AtomicInteger asked = new AtomicInteger();
        try (Idem idem = Idem.open("memory:")) {
            LoopingModel agent =
                    new LoopingModel(new Stuck(), idem, item -> "7 of " + item + " #" + asked.incrementAndGet());

            assertThat(agent.answer("question-1", "How many teapots are there?"))
                    .contains("This call of 'stock' was not run: it is the 3rd with the same arguments")
                    .contains("The earlier result was: ")
                    .contains("7 of teapot");
        }
        assertThat(asked).hasValue(2);
    }
}
