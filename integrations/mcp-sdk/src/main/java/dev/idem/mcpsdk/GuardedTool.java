package dev.idem.mcpsdk;

import dev.idem.Key;
import dev.idem.agent.session.Session;
import dev.idem.agent.session.ToolCall;
import dev.idem.agent.tool.McpCalls;
import dev.idem.agent.tool.Tool;
import dev.idem.agent.tool.ToolAnswer;
import dev.idem.agent.tool.ToolAnswer.Status;
import io.modelcontextprotocol.common.McpTransportContext;
import io.modelcontextprotocol.spec.McpError;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.TextContent;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** One tool of a server: claims each call, lets the handler run, and records its result. Thread-safe. */
final class GuardedTool {
    private final Callers callers;
    private final KeptResults kept;
    private final Tool tool;
    private final Tool lapsing;
    private final boolean checked;

    /**
     * @param repeatWindow how long a call that names neither key nor session answers its duplicates
     * @param checked whether clients check results against a schema
     */
    GuardedTool(Callers callers, KeptResults kept, Tool declared, Duration repeatWindow, boolean checked) {
        this.callers = callers;
        this.kept = kept;
        this.tool = declared.with(now -> now.policy(McpCalls.policy(declared.policy(), null)));
        this.lapsing = declared.with(now -> now.policy(McpCalls.policy(declared.policy(), repeatWindow)));
        this.checked = checked;
    }

    /**
     * Makes the call, or answers it from the record.
     *
     * @throws McpError of the handler, after the call was settled; or for a key or session that is none
     */
    CallToolResult call(McpTransportContext context, CallToolRequest request, Handler handler) {
        String given = given(request, McpCalls.KEY);
        String named = given(request, McpCalls.SESSION);
        boolean lapses = given == null && callers.isDefault(named);
        Map<String, Object> arguments = request.arguments() == null ? Map.of() : request.arguments();
        Run run = new Run(handler);
        ToolCall call = ToolCall.of(lapses ? lapsing : tool, McpCalls.identifying(arguments))
                .action((running, input) ->
                        run.act(keyed(request, running.address().key())));
        Session session = callers.session(context, named);
        ToolAnswer answer =
                session.call(given == null ? call : call.key(Key.ofId(given).value()));
        return answer instanceof ToolAnswer.Replayed replayed ? replayed(replayed, lapses) : forModel(answer, run);
    }

    private CallToolResult replayed(ToolAnswer.Replayed answer, boolean lapses) {
        CallToolResult first = kept.replayed(answer);
        if (tool.tagged()) {
            return first;
        }
        Instant ran = answer.outcome().executedAt();
        Instant until = lapses ? ran.plus(lapsing.policy().retention().keep()) : null;
        return KeptResults.with(first, McpCalls.replayed(answer, Instant.now(), until));
    }

    private CallToolResult forModel(ToolAnswer answer, Run run) {
        McpError error = run.error;
        if (error != null) {
            throw error;
        }
        CallToolResult result = run.result;
        if (result != null && isError(result) && answer.status() == Status.IN_DOUBT) {
            return KeptResults.with(result, McpCalls.held(answer, false));
        }
        return result != null && (answer.status() == Status.RAN || isError(result))
                ? result
                : KeptResults.words(answer.text(), McpCalls.isError(answer, checked), McpCalls.about(answer));
    }

    private static boolean isError(CallToolResult result) {
        return Boolean.TRUE.equals(result.isError());
    }

    private static Map<String, Object> meta(CallToolRequest request) {
        return request.meta() == null ? Map.of() : request.meta();
    }

    private static @Nullable String given(CallToolRequest request, String name) {
        try {
            return McpCalls.given(McpCalls.meta(name), meta(request).get(name));
        } catch (IllegalArgumentException e) {
            throw McpError.builder(McpSchema.ErrorCodes.INVALID_PARAMS)
                    .message(String.valueOf(e.getMessage()))
                    .build();
        }
    }

    /** The request with the key of its entry, which the handler may pass to a remote. */
    private static CallToolRequest keyed(CallToolRequest request, String key) {
        Map<String, Object> meta = new HashMap<>(meta(request));
        meta.put(McpCalls.KEY, key);
        return new CallToolRequest(request.name(), request.arguments(), meta);
    }

    /** One call of the handler, and its result. A session runs it in the thread that calls. */
    private final class Run {
        private final Handler handler;
        private @Nullable CallToolResult result;
        private @Nullable McpError error;

        Run(Handler handler) {
            this.handler = handler;
        }

        /** Runs the handler and gives its result as it is kept. */
        Object act(CallToolRequest request) throws Exception {
            result = null;
            error = null;
            CallToolResult given;
            try {
                given = handler.handle(request);
            } catch (McpError e) {
                // The handler may have acted and then passed on the error of another server, so no code is proof.
                error = e;
                throw e;
            }
            if (given == null) {
                throw new IllegalStateException("the handler gave no result");
            }
            result = given;
            if (isError(given)) {
                throw new ToolReportedErrorException(text(given));
            }
            return kept.toKeep(given);
        }

        private static String text(CallToolResult given) {
            return given.content().stream()
                    .map(content -> content instanceof TextContent words ? words.text() : content.type())
                    .collect(Collectors.joining("\n"));
        }
    }

    /** The handler of a tool for one call. It returns when its work has ended. */
    @FunctionalInterface
    interface Handler {
        /**
         * Does the work.
         *
         * @return null where the handler gave no result
         */
        @Nullable
        CallToolResult handle(CallToolRequest request) throws Exception;
    }
}
