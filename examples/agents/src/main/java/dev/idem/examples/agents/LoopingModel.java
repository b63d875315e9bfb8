package dev.idem.examples.agents;

import dev.idem.Idem;
import dev.idem.SideEffect;
import dev.idem.agent.session.Session;
import dev.idem.agent.tool.Once;
import dev.idem.springai.IdemTools;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.tool.annotation.Tool;

/**
 * A model that loops, with Spring AI: it makes the same call again and again. Idem stops the third identical call
 * before it runs, and tells the model the earlier result and what to do instead.
 */
public final class LoopingModel {
    /** The tools of the model. */
    static final class Stock {
        private final UnaryOperator<String> warehouse;

        Stock(UnaryOperator<String> warehouse) {
            this.warehouse = warehouse;
        }

        @Tool(description = "Says how many of an item there are")
        @Once(SideEffect.READ)
        String stock(String item) {
            return warehouse.apply(item);
        }
    }

    private final ChatClient client;

    /** An agent that may ask the warehouse, which is slow and costs money. */
    public LoopingModel(ChatModel model, Idem idem, UnaryOperator<String> warehouse) {
        this.client = ChatClient.builder(model)
                .defaultToolCallbacks(IdemTools.of(idem, new Stock(warehouse)))
                .build();
    }

    /** Answers a question, with the question's id as the session. */
    public String answer(String id, String question) {
        return Objects.requireNonNull(
                client.prompt(question).toolContext(Session.context(id)).call().content());
    }
}
