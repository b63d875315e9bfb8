package dev.idem.springai;

import dev.idem.Call;
import dev.idem.Idem;
import dev.idem.Policy;
import dev.idem.agent.adapter.RequiredFramework;
import dev.idem.agent.adapter.ToolDeclarations;
import dev.idem.agent.session.AdapterSessions;
import dev.idem.agent.session.Session;
import dev.idem.agent.session.SessionBuilder;
import dev.idem.agent.tool.Tool;
import dev.idem.agent.tool.ToolBuilder;
import dev.idem.agent.tool.ToolInput;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import org.springframework.ai.chat.model.ToolContext;
import org.springframework.ai.model.tool.ToolCallingManager;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.ToolCallbackProvider;
import org.springframework.ai.tool.definition.ToolDefinition;
import org.springframework.ai.tool.resolution.ToolCallbackResolver;

/**
 * The tools of a Spring AI chat client, each run once: a duplicate gets the first result.
 *
 * <pre>
 * ChatClient client = ChatClient.builder(model)
 *         .defaultToolCallbacks(IdemTools.of(idem, new Shop()))
 *         .build();
 * client.prompt("Charge cus_1 42 dollars").toolContext(Session.context("order-flow-abc123")).call().content();
 * </pre>
 *
 * <p>The session is in the tool context, since Spring AI gives its tools nothing else that names a task. Without it only
 * READs run, and the answer names the line of code to add.
 *
 * <p>Immutable and thread-safe; it may serve many clients.
 */
public final class IdemTools implements ToolCallbackProvider {
    static final String CALL = "idem.call";

    private static final System.Logger LOG = System.getLogger("dev.idem.springai");
    private static final int MOST_DECLARED = 1_000;

    static final RequiredFramework SPRING_AI = new RequiredFramework(
            "idem-spring-ai",
            "Spring AI",
            "org.springframework.ai:spring-ai-bom",
            "1.1.0",
            "org.springframework.ai.chat.messages.AssistantMessage",
            "builder");

    private static final String LINE_TO_ADD = ".toolContext(Session.context(\"order-flow-abc123\"))";

    private final AdapterSessions sessions;
    private final List<Source> sources;
    private final ToolDeclarations declarations;

    /** Whether the hints of tools count that do not come from a source. */
    private final boolean trusting;

    /** Providers are asked with every prompt, so tools with their parsed schemas are kept. */
    private final Map<Said, Tool> declared = new ConcurrentHashMap<>();

    /** A provider, and whether the hints of its tools count. */
    private record Source(ToolCallbackProvider provider, boolean trusted) {}

    /** The declaration of a tool by Spring AI and a trusted server. */
    private record Said(ToolDefinition definition, Policy hinted) {}

    private IdemTools(AdapterSessions sessions, List<Source> sources, ToolDeclarations declarations, boolean trusting) {
        this.sessions = sessions;
        this.sources = sources;
        // A copy, which warns for itself.
        this.declarations = declarations.and(Map.of());
        this.trusting = trusting;
    }

    /**
     * The {@code @Tool} methods of these objects. The annotation {@link dev.idem.agent.tool.Once} declares the side effect
     * of a method; without it, it is a WRITE. Tool callbacks and their providers are accepted as well; declare their side
     * effects by name, {@link #with}, since they hide their methods.
     */
    public static IdemTools of(Idem idem, Object... tools) {
        return like(Session.builder(idem)).and(tools);
    }

    /**
     * No tools yet, with sessions that are opened by this builder.
     *
     * @throws IllegalStateException if Spring AI is older than 1.1
     */
    public static IdemTools like(SessionBuilder session) {
        SPRING_AI.check(IdemTools.class.getClassLoader());
        return new IdemTools(AdapterSessions.of(session, LINE_TO_ADD), List.of(), ToolDeclarations.none(), false);
    }

    /** These and others, as {@link #of} takes them. */
    public IdemTools and(Object... tools) {
        List<Source> all = new ArrayList<>(sources);
        ToolDeclarations declared = declarations;
        for (Object tool : tools) {
            if (tool instanceof ToolCallback callback) {
                all.add(new Source(ToolCallbackProvider.from(callback), false));
            } else if (tool instanceof ToolCallbackProvider provider) {
                all.add(new Source(provider, false));
            } else {
                all.add(new Source(AnnotatedMethods.callbacks(tool), false));
                declared = declared.and(AnnotatedMethods.declarations(tool));
            }
        }
        return new IdemTools(sessions, List.copyOf(all), declared, trusting);
    }

    /**
     * These, with trust in the hints of MCP servers, for the tools so far and for those of {@link #guard}, {@link #resolver}
     * and {@link #manager}: a read-only tool is a READ, an idempotent one IDEMPOTENT, and a repeated call of it runs, a
     * destructive one DESTRUCTIVE. Without it each of their tools is a WRITE, so a second read gets the result of the first.
     */
    public IdemTools trustHints() {
        List<Source> trusted = sources.stream()
                .map(source -> new Source(source.provider(), true))
                .toList();
        return new IdemTools(sessions, trusted, declarations, true);
    }

    /**
     * These, with further declarations for one tool, for tools without annotations:
     * {@code with("charge", tool -> tool.identity("customer").policy(Policy.write().passesKeyTo(STRIPE)))}.
     */
    public IdemTools with(String name, UnaryOperator<ToolBuilder<ToolInput>> change) {
        return new IdemTools(sessions, sources, declarations.and(Map.of(name, change)), trusting);
    }

    /**
     * The running call of a tool. Hand its key to a remote that deduplicates by it.
     *
     * @throws IllegalStateException when the tool is not guarded
     */
    public static Call call(ToolContext context) {
        if (context.getContext().get(CALL) instanceof Call call) {
            return call;
        }
        throw new IllegalStateException(
                "this tool is not called through Idem; give the client IdemTools.of(idem, ...)");
    }

    /** The session with this id, for its report. */
    public Session sessionOf(String id) {
        return sessions.session(id);
    }

    @Override
    public ToolCallback[] getToolCallbacks() {
        Map<String, ToolCallback> all = new LinkedHashMap<>();
        for (Source source : sources) {
            ToolCallback[] given = source.provider().getToolCallbacks();
            warnOfHints(source.trusted(), given);
            for (ToolCallback bare : given) {
                String name = bare.getToolDefinition().name();
                if (all.putIfAbsent(name, guarded(bare, source.trusted())) != null) {
                    throw new IllegalStateException("there are two tools named '" + name + "'");
                }
            }
        }
        return all.values().toArray(ToolCallback[]::new);
    }

    /** One tool, guarded. */
    public ToolCallback guard(ToolCallback bare) {
        warnOfHints(trusting, bare);
        return guarded(bare, trusting);
    }

    private ToolCallback guarded(ToolCallback bare, boolean trusted) {
        if (bare instanceof GuardedCallback) {
            return bare;
        } else if (declared.size() >= MOST_DECLARED) {
            declared.clear();
        }
        Policy hinted = trusted ? McpCallbacks.hinted(bare) : Policy.unset();
        Tool tool = declared.computeIfAbsent(
                new Said(bare.getToolDefinition(), hinted),
                said -> declarations.tool(said.definition().name(), described(said.definition()), said.hinted()));
        return new GuardedCallback(sessions, tool, bare);
    }

    private static ToolBuilder<ToolInput> described(ToolDefinition definition) {
        ToolBuilder<ToolInput> tool = Tool.named(definition.name()).description(definition.description());
        String schema = definition.inputSchema();
        return schema.isBlank() ? tool : tool.schema(schema);
    }

    private void warnOfHints(boolean trusted, ToolCallback... given) {
        if (!trusted) {
            declarations.warnOfHints(
                    List.of(given), bare -> bare.getToolDefinition().name(), McpCallbacks::hinted, LOG);
        }
    }

    /** Guards the tools that a resolver finds. */
    public ToolCallbackResolver resolver(ToolCallbackResolver bare) {
        return name -> {
            ToolCallback found = bare.resolve(name);
            return found == null ? null : guard(found);
        };
    }

    /**
     * Guards every tool of a request, however it came there, and answers a call of a tool that does not exist, instead
     * of ending the run.
     */
    public ToolCallingManager manager(ToolCallingManager bare) {
        return manager(bare, name -> null);
    }

    /** The same, where tools that the request does not carry may be found by their names. */
    public ToolCallingManager manager(ToolCallingManager bare, ToolCallbackResolver resolver) {
        return new GuardedManager(this, bare, resolver);
    }
}
