package dev.idem.openai;

import com.openai.client.OpenAIClient;
import com.openai.core.JsonValue;
import com.openai.models.FunctionDefinition;
import com.openai.models.FunctionParameters;
import com.openai.models.chat.completions.ChatCompletion;
import com.openai.models.chat.completions.ChatCompletionContentPartText;
import com.openai.models.chat.completions.ChatCompletionCreateParams;
import com.openai.models.chat.completions.ChatCompletionMessageFunctionToolCall;
import com.openai.models.chat.completions.ChatCompletionMessageToolCall;
import com.openai.models.chat.completions.ChatCompletionToolMessageParam;
import dev.idem.agent.session.Session;
import dev.idem.agent.tool.Tool;
import dev.idem.agent.tool.ToolAnswer;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The tool loop over the OpenAI client's chat completions: asks the model, calls the session's tools, tells the model,
 * until it calls no more.
 *
 * <pre>
 * Session session = Session.of(idem, "order-flow-abc123", tools);
 * ChatCompletion last = ToolLoop.of(client, session).run(ChatCompletionCreateParams.builder()
 *         .model("gpt-5").addUserMessage("Charge cus_1 42 dollars").build());
 * </pre>
 *
 * <p>After a crash, run it again with the same session id: complete calls replay, and the loop goes on. Thread-safe.
 */
public final class ToolLoop {
    private static final Map<String, @Nullable Object> ANYTHING = Map.of("type", "object", "properties", Map.of());

    private static final int ROUNDS = 100;

    private final OpenAIClient client;
    private final Session session;
    private final int rounds;

    private ToolLoop(OpenAIClient client, Session session, int rounds) {
        this.client = client;
        this.session = session;
        this.rounds = rounds;
    }

    /** A loop that calls the tools of this session. */
    public static ToolLoop of(OpenAIClient client, Session session) {
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
     * @return the model's last answer, which may have been cut short: see its finish reason
     * @throws IllegalStateException if the model was asked too often; complete calls are in the ledger
     * @throws com.openai.errors.OpenAIException if the model can't be asked; complete calls are in the ledger
     */
    public ChatCompletion run(ChatCompletionCreateParams first) {
        ChatCompletionCreateParams.Builder asked = first.toBuilder();
        for (Tool tool : session.tools().all()) {
            asked.addFunctionTool(definition(tool));
        }
        for (int round = 0; round < rounds; round++) {
            ChatCompletion completion = client.chat().completions().create(asked.build());
            List<ChatCompletionMessageToolCall> calls = calls(completion);
            if (calls.isEmpty()) {
                return completion;
            }
            asked.addMessage(completion.choices().get(0).message());
            for (ChatCompletionMessageToolCall call : calls) {
                asked.addMessage(result(call));
            }
        }
        throw new IllegalStateException("the model was asked " + rounds + " times and still calls tools; session "
                + session.id() + " so far: " + session.report());
    }

    /** A message that was cut short may hold an incomplete call. */
    private static List<ChatCompletionMessageToolCall> calls(ChatCompletion completion) {
        ChatCompletion.Choice choice = completion.choices().get(0);
        boolean whole = choice.finishReason().equals(ChatCompletion.Choice.FinishReason.TOOL_CALLS)
                || choice.finishReason().equals(ChatCompletion.Choice.FinishReason.STOP);
        return whole ? choice.message().toolCalls().orElse(List.of()) : List.of();
    }

    private ChatCompletionToolMessageParam result(ChatCompletionMessageToolCall call) {
        if (call.isFunction()) {
            ChatCompletionMessageFunctionToolCall function = call.asFunction();
            ToolAnswer answer =
                    session.call(function.function().name(), function.function().arguments());
            ChatCompletionToolMessageParam.Builder message =
                    ChatCompletionToolMessageParam.builder().toolCallId(function.id());
            String note = answer.note().orElse(null);
            return note == null
                    ? message.content(answer.text()).build()
                    : message.contentOfArrayOfContentParts(List.of(part(answer.text()), part(note)))
                            .build();
        }
        return ChatCompletionToolMessageParam.builder()
                .toolCallId(call.asCustom().id())
                .content("There is no such tool, so nothing was called.")
                .build();
    }

    private static ChatCompletionContentPartText part(String text) {
        return ChatCompletionContentPartText.builder().text(text).build();
    }

    /** The definition of a tool for the model. */
    private static FunctionDefinition definition(Tool tool) {
        FunctionDefinition.Builder definition =
                FunctionDefinition.builder().name(tool.name()).parameters(parameters(tool));
        return tool.description().isEmpty()
                ? definition.build()
                : definition.description(tool.description()).build();
    }

    private static FunctionParameters parameters(Tool tool) {
        FunctionParameters.Builder parameters = FunctionParameters.builder();
        tool.schema()
                .map(schema -> schema.json())
                .orElse(ANYTHING)
                .forEach((name, value) -> parameters.putAdditionalProperty(name, JsonValue.from(value)));
        return parameters.build();
    }
}
