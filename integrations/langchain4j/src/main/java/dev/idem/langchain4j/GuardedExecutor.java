package dev.idem.langchain4j;

import dev.idem.Call;
import dev.idem.agent.session.AdapterSessions;
import dev.idem.agent.session.Session;
import dev.idem.agent.tool.Tool;
import dev.idem.agent.tool.ToolAnswer;
import dev.idem.agent.tool.ToolNotCalledException;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.exception.ToolArgumentsException;
import dev.langchain4j.exception.ToolExecutionException;
import dev.langchain4j.invocation.InvocationContext;
import dev.langchain4j.service.memory.ChatMemoryService;
import dev.langchain4j.service.tool.DefaultToolExecutor;
import dev.langchain4j.service.tool.ToolExecutionResult;
import dev.langchain4j.service.tool.ToolExecutor;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Runs one tool of LangChain4j through a session. An exception of the tool is settled before LangChain4j or an error
 * handler sees it, so that they can't lose it.
 */
final class GuardedExecutor implements ToolExecutor {
    private final AdapterSessions sessions;
    private final Tool tool;
    private final ToolExecutor bare;
    private final Set<String> timeouts;

    /**
     * @param timeouts the texts with which the executor answers a call that timed out
     */
    GuardedExecutor(AdapterSessions sessions, Tool tool, ToolExecutor bare, Set<String> timeouts) {
        this.sessions = sessions;
        this.tool = tool;
        this.bare = bare;
        this.timeouts = timeouts;
    }

    @Override
    public String execute(ToolExecutionRequest request, @Nullable Object memoryId) {
        InvocationContext context =
                InvocationContext.builder().chatMemoryId(memoryId).build();
        return executeWithContext(request, context).resultText();
    }

    @Override
    public ToolExecutionResult executeWithContext(ToolExecutionRequest request, @Nullable InvocationContext given) {
        InvocationContext context = given == null ? InvocationContext.builder().build() : given;
        AtomicReference<@Nullable ToolExecutionResult> ran = new AtomicReference<>();
        String json = isMethod() ? AdapterSessions.seenByMethod(tool, request.arguments()) : request.arguments();
        ToolAnswer answer = sessions.call(task(context), context.invocationId(), tool, json, (call, in) -> {
            ToolExecutionResult result = run(request, context, call);
            ran.set(result);
            return Contents.toKeep(result);
        });
        return Contents.forModel(answer, ran.get());
    }

    /** The id that the user has given; LangChain4j's own is shared by all users, or lasts for one invocation. */
    private static @Nullable Object task(InvocationContext context) {
        Object named = context.invocationParameters() == null
                ? null
                : context.invocationParameters().asMap().get(Session.CONTEXT);
        if (named != null) {
            return named;
        }
        Object memory = context.chatMemoryId();
        boolean madeUp =
                ChatMemoryService.DEFAULT.equals(memory) || (memory != null && memory.equals(context.invocationId()));
        return madeUp ? null : memory;
    }

    private boolean isMethod() {
        return bare instanceof DefaultToolExecutor;
    }

    private ToolExecutionResult run(ToolExecutionRequest request, InvocationContext context, Call call)
            throws Exception {
        ToolExecutionResult result;
        try {
            result = bare.executeWithContext(request, GuardedCall.in(context, call));
        } catch (ToolArgumentsException e) {
            // LangChain4j binds the arguments of a method before it calls it. Other executors promise nothing.
            throw isMethod() ? new ToolNotCalledException("its arguments do not fit: " + e.getMessage(), e) : e;
        } catch (ToolExecutionException e) {
            throw reported(e) ? new ToolReportedErrorException(String.valueOf(e.getMessage())) : thrownByTool(e);
        }
        if (result.isError()) {
            throw new ToolReportedErrorException(Contents.text(result));
        } else if (!isMethod() && McpClients.timedOut(result, timeouts)) {
            throw new TimeoutException(Contents.text(result));
        }
        return result;
    }

    /**
     * Whether the exception stands for an error that the MCP server's tool reported. Unlike an error of the protocol it has
     * no code, and its only cause is the one that its constructor makes of a text.
     */
    private boolean reported(ToolExecutionException thrown) {
        Throwable cause = thrown.getCause();
        return bare.getClass().getName().startsWith("dev.langchain4j.mcp.")
                && thrown.errorCode() == null
                && cause != null
                && cause.getStackTrace().length > 0
                && cause.getStackTrace()[0].getClassName().equals(ToolExecutionException.class.getName());
    }

    /** The exception of the tool itself: it tells whether anything happened. */
    private static Exception thrownByTool(ToolExecutionException wrapper) {
        if (wrapper.getCause() instanceof Error error) {
            throw error;
        }
        return wrapper.getCause() instanceof Exception thrown ? thrown : wrapper;
    }
}
