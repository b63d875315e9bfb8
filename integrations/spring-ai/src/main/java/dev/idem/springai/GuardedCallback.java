package dev.idem.springai;

import dev.idem.Call;
import dev.idem.NotExecutedException;
import dev.idem.agent.session.AdapterSessions;
import dev.idem.agent.session.Session;
import dev.idem.agent.tool.Tool;
import dev.idem.agent.tool.ToolAnswer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.model.ToolContext;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.definition.ToolDefinition;
import org.springframework.ai.tool.execution.ToolExecutionException;
import org.springframework.ai.tool.function.FunctionToolCallback;
import org.springframework.ai.tool.metadata.ToolMetadata;
import org.springframework.ai.tool.method.MethodToolCallback;

/**
 * Runs one tool of Spring AI through a session. What the tool throws is settled before Spring AI gets to see anything, so
 * that no exception of its can lose it.
 */
final class GuardedCallback implements ToolCallback {
    /** The conversation that Spring AI's memory puts everybody into who names none. */
    private static final String EVERYBODY = "default";

    /** The methods of {@link MethodToolCallback} that convert arguments. */
    private static final Set<String> CONVERTING = Set.of("extractToolArguments", "buildTypedArgument");

    private final AdapterSessions sessions;
    private final Tool tool;
    private final ToolCallback bare;

    GuardedCallback(AdapterSessions sessions, Tool tool, ToolCallback bare) {
        this.sessions = sessions;
        this.tool = tool;
        this.bare = bare;
    }

    @Override
    public ToolDefinition getToolDefinition() {
        return bare.getToolDefinition();
    }

    @Override
    public ToolMetadata getToolMetadata() {
        return bare.getToolMetadata();
    }

    @Override
    public String call(String input) {
        return call(input, null);
    }

    @Override
    public String call(String input, @Nullable ToolContext context) {
        String json = bare instanceof MethodToolCallback ? AdapterSessions.seenByMethod(tool, input) : input;
        ToolAnswer answer = sessions.call(task(context), null, tool, json, (call, in) -> run(input, context, call));
        // Nobody but the program reads what is returned directly, and it expects the result alone.
        boolean plain = answer.status() == ToolAnswer.Status.REPLAYED
                && bare.getToolMetadata().returnDirect();
        return plain && answer.value() instanceof String result ? result : answer.text();
    }

    private static @Nullable Object task(@Nullable ToolContext context) {
        Object id = context == null ? null : context.getContext().get(Session.CONTEXT);
        return EVERYBODY.equals(id) ? null : id;
    }

    private String run(String input, @Nullable ToolContext context, Call call) throws Exception {
        try {
            // Spring AI refuses no arguments at all, and the reason would not tell whether the tool had run.
            String arguments = input.isBlank() ? "{}" : input;
            return bare.call(arguments, handsOnCall() ? with(context, call) : context);
        } catch (RuntimeException e) {
            if (cameBeforeTheMethod(e)) {
                throw new NotExecutedException("its arguments do not fit: " + e.getMessage(), e);
            } else if (e instanceof ToolExecutionException && e.getCause() instanceof Error error) {
                throw error;
            }
            // What the tool itself threw says whether anything happened.
            throw e instanceof ToolExecutionException && e.getCause() instanceof Exception thrown ? thrown : e;
        }
    }

    /**
     * Spring AI converts the arguments of a method before it calls it, and throws the same kind of exception there as
     * for what the method threw. Where the exception was made tells the two apart.
     */
    private boolean cameBeforeTheMethod(RuntimeException thrown) {
        return bare instanceof MethodToolCallback
                && Arrays.stream(thrown.getStackTrace())
                        .filter(frame -> frame.getClassName().equals(MethodToolCallback.class.getName()))
                        .findFirst()
                        .filter(frame -> CONVERTING.contains(frame.getMethodName()))
                        .isPresent();
    }

    /** Others may send all of the context to a remote, as the tools of MCP servers do. */
    private boolean handsOnCall() {
        return bare instanceof MethodToolCallback || bare instanceof FunctionToolCallback<?, ?>;
    }

    private static ToolContext with(@Nullable ToolContext context, Call call) {
        Map<String, Object> all = new HashMap<>();
        if (context != null) {
            all.putAll(context.getContext());
        }
        all.put(IdemTools.CALL, call);
        return new ToolContext(all);
    }
}
