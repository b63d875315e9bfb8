import dev.idem.Idem;
import dev.idem.langchain4j.IdemTools;
import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.memory.chat.MessageWindowChatMemory;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.service.AiServices;
import dev.langchain4j.service.MemoryId;
import dev.langchain4j.service.UserMessage;

/** An assistant whose model plans the same charge in two runs of one task. */
public final class Main {
    private static int charges;

    interface Assistant {
        String chat(@MemoryId String session, @UserMessage String text);
    }

    public static final class Shop {
        @Tool("Charges a customer")
        public String charge(String customer, int cents) {
            charges++;
            return "charged " + customer;
        }
    }

    static final class Model implements ChatModel {
        private int calls;

        @Override
        public ChatResponse doChat(ChatRequest request) {
            boolean answered = request.messages().get(request.messages().size() - 1) instanceof ToolExecutionResultMessage;
            AiMessage message = answered
                    ? AiMessage.from("Done.")
                    : AiMessage.from(ToolExecutionRequest.builder()
                            .id("call_" + ++calls)
                            .name("charge")
                            .arguments("{\"customer\":\"cus_1\",\"cents\":4200}")
                            .build());
            return ChatResponse.builder().aiMessage(message).build();
        }
    }

    public static void main(String[] arguments) {
        try (Idem idem = Idem.open("sqlite:" + arguments[0])) {
            Assistant assistant = AiServices.builder(Assistant.class)
                    .chatModel(new Model())
                    .chatMemoryProvider(id -> MessageWindowChatMemory.withMaxMessages(20))
                    .toolProvider(IdemTools.of(idem, new Shop()))
                    .build();
            assistant.chat("order-flow-abc123", "Charge cus_1 42 dollars");
            assistant.chat("order-flow-abc123", "Charge cus_1 42 dollars");
        }
        if (charges != 1) {
            throw new AssertionError(charges + " charges");
        }
        System.out.println("charged once");
    }
}
