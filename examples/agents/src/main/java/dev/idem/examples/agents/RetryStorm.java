package dev.idem.examples.agents;

import dev.idem.Idem;
import dev.idem.agent.tool.Once;
import dev.idem.langchain4j.GuardedCall;
import dev.idem.langchain4j.IdemTools;
import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.memory.chat.MessageWindowChatMemory;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.service.AiServices;
import dev.langchain4j.service.MemoryId;
import dev.langchain4j.service.UserMessage;
import java.io.IOException;

/**
 * A storm of retries, with LangChain4j: a browser, a proxy and a queue all time out and send the same order again. The
 * first caller charges; the others get that charge.
 */
public final class RetryStorm {
    interface Assistant {
        String chat(@MemoryId String session, @UserMessage String text);
    }

    /** The tools of the model. */
    static final class Till {
        private final Payments payments;

        Till(Payments payments) {
            this.payments = payments;
        }

        @Tool("Charges a customer")
        @Once(
                identity = {"customer", "cents"},
                passesKeyTo = "payments 24h")
        String charge(String customer, long cents, GuardedCall call) throws IOException {
            return payments.charge(customer, cents, call.key());
        }
    }

    private final ChatModel model;
    private final IdemTools tools;

    /** A shop whose till is guarded. */
    public RetryStorm(ChatModel model, Idem idem, Payments payments) {
        this.model = model;
        this.tools = IdemTools.of(idem, new Till(payments));
    }

    /** Sends the order. The order is the session, so all callers mean the same task. */
    public String place(String order) {
        return AiServices.builder(Assistant.class)
                .chatModel(model)
                .chatMemoryProvider(id -> MessageWindowChatMemory.withMaxMessages(20))
                .toolProvider(tools)
                .build()
                .chat(order, "Charge cus_1 42 dollars");
    }
}
