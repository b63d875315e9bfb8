package dev.idem.mcpsdk;

import dev.idem.Idem;
import dev.idem.Json;
import dev.idem.Policy;
import dev.idem.agent.retry.Retry;
import dev.idem.agent.session.Session;
import dev.idem.agent.session.Sessions;
import dev.idem.agent.tool.McpCalls;
import dev.idem.agent.tool.McpHints;
import dev.idem.agent.tool.Tool;
import dev.idem.agent.tool.ToolBuilder;
import dev.idem.agent.tool.ToolInput;
import io.modelcontextprotocol.common.McpTransportContext;
import io.modelcontextprotocol.json.McpJsonDefaults;
import io.modelcontextprotocol.json.McpJsonMapper;
import io.modelcontextprotocol.server.McpServerFeatures;
import io.modelcontextprotocol.server.McpStatelessServerFeatures;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.ToolAnnotations;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Guards the tools of an MCP server: the handler of a specification runs once for each call, and a duplicate gets the
 * first result.
 *
 * <pre>{@code
 * IdemMcp guard = IdemMcp.oneUser(idem, "mail");
 * McpServer.sync(transport).tools(guard.guard(sendEmail)).build();
 * }</pre>
 *
 * <p>Immutable and thread-safe: every method returns a new guard.
 */
public final class IdemMcp implements Cloneable {
    private static final System.Logger LOG = System.getLogger("dev.idem.mcpsdk");

    private final Sessions sessions;
    private final String server;
    private final @Nullable Function<McpTransportContext, @Nullable String> users;
    private Map<String, UnaryOperator<ToolBuilder<ToolInput>>> declarations = Map.of();
    private @Nullable String session;
    private Duration repeatWindow = McpCalls.REPEAT_WINDOW;
    private boolean trustsHints;
    private @Nullable McpJsonMapper mapper;
    private Executor executor = task -> new Thread(task, "idem-mcp").start();

    private IdemMcp(Idem idem, String server, @Nullable Function<McpTransportContext, @Nullable String> users) {
        if (server.isBlank()) {
            throw new IllegalArgumentException("a server needs a name: it tells its calls from those of other servers");
        }
        this.sessions = Sessions.like(Session.builder(idem).withoutLoopGuard().retry(Retry.none()));
        this.server = server;
        this.users = users;
    }

    /**
     * A guard for a server with one user, such as a server on stdio.
     *
     * @param server names the server; part of the scope of its calls
     */
    public static IdemMcp oneUser(Idem idem, String server) {
        return new IdemMcp(idem, server, null);
    }

    /**
     * A guard for a server with many users, such as a server over HTTP. No user gets the result of another.
     *
     * @param server names the server; part of the scope of its calls
     * @param user the stable id of the user who calls, from the context that the transport extracts; null or blank where
     *     it is not known, so that only READs run
     */
    public static IdemMcp users(Idem idem, String server, Function<McpTransportContext, @Nullable String> user) {
        return new IdemMcp(idem, server, user);
    }

    /**
     * Adds declarations for one tool, by its name:
     * {@code with("charge", tool -> tool.identity("customer").policy(Policy.write().passesKeyTo(STRIPE)))}.
     */
    public IdemMcp with(String name, UnaryOperator<ToolBuilder<ToolInput>> change) {
        Map<String, UnaryOperator<ToolBuilder<ToolInput>>> all = new LinkedHashMap<>(declarations);
        UnaryOperator<ToolBuilder<ToolInput>> before = all.getOrDefault(name, UnaryOperator.identity());
        all.put(name, tool -> change.apply(before.apply(tool)));
        return with(copy -> copy.declarations = all);
    }

    /**
     * Trusts the hints of the specifications: a read-only tool is a READ, an idempotent one IDEMPOTENT, and a repeated call
     * of it runs, a destructive one DESTRUCTIVE. Without it each tool is a WRITE, so a second read gets the result of the
     * first.
     */
    public IdemMcp trustHints() {
        return with(copy -> copy.trustsHints = true);
    }

    /** Sets the session of calls that name none in their {@code _meta}; {@code default} by default. */
    public IdemMcp session(String id) {
        if (id.isBlank()) {
            throw new IllegalArgumentException(
                    "a session needs an id, such as \"task-7\"; leave it out for the default");
        }
        return with(copy -> copy.session = id);
    }

    /**
     * Sets how long a completed call answers its duplicates in the session {@code default}, if it has no given key and its
     * policy no retention; 15 minutes by default.
     */
    public IdemMcp repeatWindow(Duration window) {
        return with(copy -> copy.repeatWindow = window);
    }

    /** Sets the mapper that writes and reads stored results; the SDK's default by default. */
    public IdemMcp jsonMapper(McpJsonMapper json) {
        return with(copy -> copy.mapper = json);
    }

    /**
     * Sets where the calls of asynchronous tools run; by default each has a new thread. A call holds its thread until it
     * has ended, or until it has waited for its duplicate.
     */
    public IdemMcp executor(Executor threads) {
        return with(copy -> copy.executor = threads);
    }

    /** The specification with a handler that runs once for each call, in the thread of the server. */
    public McpServerFeatures.SyncToolSpecification guard(McpServerFeatures.SyncToolSpecification bare) {
        GuardedTool guarded = guarded(bare.tool());
        return new McpServerFeatures.SyncToolSpecification(
                bare.tool(),
                (exchange, request) -> guarded.call(
                        exchange.transportContext(),
                        request,
                        keyed -> bare.callHandler().apply(exchange, keyed)));
    }

    /** The specification with a handler that runs once for each call. A client that cancels does not stop it. */
    public McpServerFeatures.AsyncToolSpecification guard(McpServerFeatures.AsyncToolSpecification bare) {
        Detached guarded = new Detached(guarded(bare.tool()), executor);
        return new McpServerFeatures.AsyncToolSpecification(
                bare.tool(),
                (exchange, request) -> guarded.call(
                        exchange.transportContext(),
                        request,
                        keyed -> bare.callHandler().apply(exchange, keyed)));
    }

    /** The specification with a handler that runs once for each call, in the thread of the server. */
    public McpStatelessServerFeatures.SyncToolSpecification guard(
            McpStatelessServerFeatures.SyncToolSpecification bare) {
        GuardedTool guarded = guarded(bare.tool());
        return new McpStatelessServerFeatures.SyncToolSpecification(
                bare.tool(),
                (context, request) -> guarded.call(
                        context, request, keyed -> bare.callHandler().apply(context, keyed)));
    }

    /** The specification with a handler that runs once for each call. A client that cancels does not stop it. */
    public McpStatelessServerFeatures.AsyncToolSpecification guard(
            McpStatelessServerFeatures.AsyncToolSpecification bare) {
        Detached guarded = new Detached(guarded(bare.tool()), executor);
        return new McpStatelessServerFeatures.AsyncToolSpecification(
                bare.tool(),
                (context, request) -> guarded.call(
                        context, request, keyed -> bare.callHandler().apply(context, keyed)));
    }

    private GuardedTool guarded(McpSchema.Tool bare) {
        Callers callers = new Callers(sessions, server, users, session);
        KeptResults kept = new KeptResults(mapper == null ? McpJsonDefaults.getMapper() : mapper);
        return new GuardedTool(callers, kept, declared(bare), repeatWindow, bare.outputSchema() != null);
    }

    private Tool declared(McpSchema.Tool bare) {
        Policy hinted = McpHints.policy(hints(bare.annotations()));
        Tool declared = declarations
                .getOrDefault(bare.name(), UnaryOperator.identity())
                .apply(Tool.named(bare.name()))
                .build();
        Tool tool = trustsHints ? McpHints.trusted(declared, hinted) : declared;
        if (hinted.hasSideEffect() && !tool.tagged()) {
            LOG.log(
                    Level.WARNING,
                    "the hints of the tool ''{0}'' say that it is a {1}, and are not trusted. It is taken for a WRITE, so "
                            + "a second call gets the result of the first. If they are right: IdemMcp.trustHints()",
                    bare.name(),
                    hinted.sideEffect());
        }
        requireArguments(tool, bare);
        return tool;
    }

    /** A wrong declaration must fail here, not at the first call. The SDK checks the arguments of each call itself. */
    private static void requireArguments(Tool tool, McpSchema.Tool bare) {
        if (bare.inputSchema() != null && bare.inputSchema().get("properties") instanceof Map<?, ?> properties) {
            Map<String, Object> named = new LinkedHashMap<>();
            properties.keySet().forEach(name -> named.put(String.valueOf(name), Map.of()));
            String schema = Json.write(Map.of("type", "object", "properties", named));
            tool.with(now -> now.schema(schema)).requireValid();
        }
    }

    private static Map<String, @Nullable Object> hints(@Nullable ToolAnnotations hints) {
        Map<String, @Nullable Object> named = new HashMap<>();
        if (hints != null) {
            named.put("readOnlyHint", hints.readOnlyHint());
            named.put("idempotentHint", hints.idempotentHint());
            named.put("destructiveHint", hints.destructiveHint());
        }
        return named;
    }

    private IdemMcp with(Consumer<IdemMcp> change) {
        try {
            IdemMcp copy = (IdemMcp) clone();
            change.accept(copy);
            return copy;
        } catch (CloneNotSupportedException e) {
            throw new AssertionError(e);
        }
    }
}
