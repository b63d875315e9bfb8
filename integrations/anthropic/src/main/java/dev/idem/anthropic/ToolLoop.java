package dev.idem.anthropic;

import com.anthropic.client.AnthropicClient;
import com.anthropic.core.JsonField;
import com.anthropic.core.JsonValue;
import com.anthropic.models.messages.ContentBlock;
import com.anthropic.models.messages.ContentBlockParam;
import com.anthropic.models.messages.Message;
import com.anthropic.models.messages.MessageCreateParams;
import com.anthropic.models.messages.StopReason;
import com.anthropic.models.messages.Tool.InputSchema;
import com.anthropic.models.messages.ToolResultBlockParam;
import com.anthropic.models.messages.ToolUseBlock;
import dev.idem.agent.session.Session;
import dev.idem.agent.tool.Tool;
import dev.idem.agent.tool.ToolAnswer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The tool loop over the Anthropic client: asks the model, calls the session's tools, tells the model, until it calls
 * no more.
 *
 * <pre>
 * Session session = Session.of(idem, "order-flow-abc123", tools);
 * Message last = ToolLoop.of(client, session).run(MessageCreateParams.builder()
 *         .model("claude-sonnet-4-6").maxTokens(1024).addUserMessage("Charge cus_1 42 dollars").build());
 * </pre>
 *
 * <p>After a crash, run it again with the same session id: complete calls replay, and the loop goes on. Thread-safe.
 */
public final class ToolLoop {
    private static final Map<String, @Nullable Object> ANYTHING = Map.of("type", "object");

    private static final int ROUNDS = 100;

    private final AnthropicClient client;
    private final Session session;
    private final int rounds;

    private ToolLoop(AnthropicClient client, Session session, int rounds) {
        this.client = client;
        this.session = session;
        this.rounds = rounds;
    }

    /** A loop that calls the tools of this session. */
    public static ToolLoop of(AnthropicClient client, Session session) {
        return new ToolLoop(client, session, ROUNDS);
    }

    /** Sets how often the model may be asked in one run; 100 times by default. */
    public ToolLoop rounds(int most) {
        return new ToolLoop(client, session, most);
    }

    /**
     * Runs until the model calls no more tools.
     *
     * @param first the question; the session's tools are added to it
     * @return the model's last message, which may have been cut short: see its stop reason
     * @throws IllegalStateException if the model was asked too often; complete calls are in the ledger
     * @throws com.anthropic.errors.AnthropicException if the model can't be asked; complete calls are in the ledger
     */
    public Message run(MessageCreateParams first) {
        MessageCreateParams.Builder asked = first.toBuilder();
        for (Tool tool : session.tools().all()) {
            asked.addTool(definition(tool));
        }
        for (int round = 0; round < rounds; round++) {
            Message message = client.messages().create(asked.build());
            Optional<StopReason> why = message.stopReason();
            if (why.filter(StopReason.TOOL_USE::equals).isPresent()) {
                asked.addMessage(message).addUserMessageOfContentBlockParams(results(message));
            } else if (why.filter(StopReason.PAUSE_TURN::equals).isPresent()) {
                asked.addMessage(message);
            } else {
                // A message that was cut short may hold an incomplete call.
                return message;
            }
        }
        throw new IllegalStateException("the model was asked " + rounds + " times and still calls tools; session "
                + session.id() + " so far: " + session.report());
    }

    private List<ContentBlockParam> results(Message message) {
        return message.content().stream()
                .filter(ContentBlock::isToolUse)
                .map(block -> ContentBlockParam.ofToolResult(result(block.asToolUse())))
                .toList();
    }

    private ToolResultBlockParam result(ToolUseBlock call) {
        ToolAnswer answer = answer(call);
        ToolResultBlockParam.Builder result =
                ToolResultBlockParam.builder().toolUseId(call.id()).isError(answer.error());
        String note = answer.note().orElse(null);
        return note == null
                ? result.content(answer.text()).build()
                : result.contentOfBlocks(Stream.of(answer.text(), note)
                                // The service refuses an empty block.
                                .filter(text -> !text.isEmpty())
                                .map(ToolResultBlockParam.Content.Block::ofText)
                                .toList())
                        .build();
    }

    private ToolAnswer answer(ToolUseBlock call) {
        Object input = call._input().convert(Object.class);
        if (input instanceof Map<?, ?> object) {
            @SuppressWarnings("unchecked") // the names in a JSON object are strings
            Map<String, ?> arguments = (Map<String, ?>) object;
            return session.call(call.name(), arguments);
        }
        return session.call(call.name(), String.valueOf(input)); // to be refused in the words of all such errors
    }

    /** The definition of a tool for the model. */
    private static com.anthropic.models.messages.Tool definition(Tool tool) {
        com.anthropic.models.messages.Tool.Builder definition =
                com.anthropic.models.messages.Tool.builder().name(tool.name()).inputSchema(schema(tool));
        return tool.description().isEmpty()
                ? definition.build()
                : definition.description(tool.description()).build();
    }

    /** As it is: the client's own type knows a part of JSON Schema only. */
    @SuppressWarnings("unchecked") // the way that the client offers for values it has no type for
    private static JsonField<InputSchema> schema(Tool tool) {
        return JsonValue.from(tool.schema().map(schema -> schema.json()).orElse(ANYTHING));
    }
}
