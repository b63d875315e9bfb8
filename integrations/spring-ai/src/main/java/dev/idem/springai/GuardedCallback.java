package dev.idem.springai;

import dev.idem.Call;
import dev.idem.agent.session.AdapterSessions;
import dev.idem.agent.session.Session;
import dev.idem.agent.tool.Tool;
import dev.idem.agent.tool.ToolAnswer;
import dev.idem.agent.tool.ToolNotCalledException;
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
 * Runs one tool of Spring AI through a session. An exception of the tool is settled before Spring AI sees it, so that it
 * can't be lost.
 */
final class GuardedCallback implements ToolCallback {
    /** The conversation that Spring AI's memory uses where none is named. */
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
        // A direct result goes to the program, which expects the plain result.
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
            // Spring AI refuses empty arguments with an exception that does not tell whether the tool ran.
            String arguments = input.isBlank() ? "{}" : input;
            return bare.call(arguments, handsOnCall() ? with(context, call) : context);
        } catch (RuntimeException e) {
            if (cameBeforeTheMethod(e)) {
                throw new ToolNotCalledException("its arguments do not fit: " + e.getMessage(), e);
            } else if (e instanceof ToolExecutionException && e.getCause() instanceof Error error) {
                throw error;
            }
            // The exception of the tool itself tells whether anything happened.
            throw e instanceof ToolExecutionException && e.getCause() instanceof Exception thrown ? thrown : e;
        }
    }

    /**
     * Spring AI throws the same kind of exception for arguments that it can't convert, before it calls the method, as for
     * exceptions of the method. The stack trace tells them apart.
     */
    private boolean cameBeforeTheMethod(RuntimeException thrown) {
        return bare instanceof MethodToolCallback
                && Arrays.stream(thrown.getStackTrace())
                        .filter(frame -> frame.getClassName().equals(MethodToolCallback.class.getName()))
                        .findFirst()
                        .filter(frame -> CONVERTING.contains(frame.getMethodName()))
                        .isPresent();
    }

    /** Only for these kinds: other callbacks may send the whole context to a remote, as those of MCP do. */
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
