package dev.idem.examples.agents;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Idem;
import dev.idem.testkit.Race;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.response.ChatResponse;
import java.util.List;
import org.junit.jupiter.api.Test;

class RetryStormTest {
    private static final int IMPATIENT = 16;

    /** Charges, and then says what it was told. */
    private static final class Model implements ChatModel {
        @Override
        public ChatResponse doChat(ChatRequest request) {
            ChatMessage last = request.messages().get(request.messages().size() - 1);
            AiMessage next = last instanceof ToolExecutionResultMessage result
                    ? AiMessage.from(result.text())
                    : AiMessage.from(ToolExecutionRequest.builder()
                            .id("call_1")
                            .name("charge")
                            .arguments("{\"customer\":\"cus_1\",\"cents\":4200}")
                            .build());
            return ChatResponse.builder().aiMessage(next).build();
        }
    }

    @Test
    void allWhoSendTheOrderAtOnceGetTheOneCharge() {
        FlakyPayments payments = new FlakyPayments();
        try (Idem idem = Idem.open("memory:")) {
            RetryStorm shop = new RetryStorm(new Model(), idem, payments);

            List<String> answers = Race.of(IMPATIENT, () -> shop.place("order-7"));

            assertThat(answers).hasSize(IMPATIENT).containsOnly("ch_1");
        }
        assertThat(payments.asked()).hasSize(1);
    }
}
