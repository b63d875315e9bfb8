package dev.idem.langchain4j;

import dev.idem.Idem;
import dev.idem.agent.adapter.RequiredFramework;
import dev.idem.agent.adapter.ToolDeclarations;
import dev.idem.agent.session.AdapterSessions;
import dev.idem.agent.session.Session;
import dev.idem.agent.session.SessionBuilder;
import dev.idem.agent.tool.Tool;
import dev.idem.agent.tool.ToolBuilder;
import dev.idem.agent.tool.ToolInput;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.invocation.InvocationParameters;
import dev.langchain4j.service.tool.AiServiceTool;
import dev.langchain4j.service.tool.DefaultToolExecutor;
import dev.langchain4j.service.tool.ToolProvider;
import dev.langchain4j.service.tool.ToolProviderRequest;
import dev.langchain4j.service.tool.ToolProviderResult;
import dev.langchain4j.service.tool.ToolService;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The tools of a LangChain4j assistant, each run once: a duplicate gets the first result.
 *
 * <pre>
 * Assistant assistant = AiServices.builder(Assistant.class)
 *         .chatModel(model)
 *         .chatMemoryProvider(id -&gt; MessageWindowChatMemory.withMaxMessages(20))
 *         .toolProvider(IdemTools.of(idem, new Shop()))
 *         .build();
 * </pre>
 *
 * <p>The session is the {@code @MemoryId} of the call, or the id given to {@link #session}. Without both, all users share
 * one memory in LangChain4j; then only READs run, and the answer names the line of code to add.
 *
 * <p>Immutable and thread-safe; it may serve many assistants.
 */
public final class IdemTools implements ToolProvider {
    private static final System.Logger LOG = System.getLogger("dev.idem.langchain4j");
    private static final int MOST_DECLARED = 1_000;

    static final RequiredFramework LANGCHAIN4J = new RequiredFramework(
            "idem-langchain4j",
            "LangChain4j",
            "dev.langchain4j:langchain4j",
            "1.17.0",
            "dev.langchain4j.service.tool.DefaultToolExecutor",
            "originalMethod");

    private static final String LINE_TO_ADD = "@MemoryId to a parameter that carries the id of the task, as in "
            + "`String chat(@MemoryId String session, @UserMessage String text);` (with a .chatMemoryProvider(...)), or "
            + "a parameter of type InvocationParameters that is given `IdemTools.session(\"order-flow-abc123\")`";

    private final AdapterSessions sessions;
    private final List<AiServiceTool> tools;
    private final List<Source> sources;
    private final ToolDeclarations declarations;
    private final McpClients clients = new McpClients();

    /** Providers are asked with every invocation, so tools with their parsed schemas are kept. */
    private final Map<Declaring, Tool> declared = new ConcurrentHashMap<>();

    /** A provider, and whether the hints of its tools count. */
    private record Source(ToolProvider provider, boolean trusted) {}

    private IdemTools(
            AdapterSessions sessions, List<AiServiceTool> tools, List<Source> sources, ToolDeclarations declarations) {
        this.sessions = sessions;
        this.tools = tools;
        this.sources = sources;
        // A copy, which warns for itself.
        this.declarations = declarations.and(Map.of());
    }

    /**
     * The {@code @Tool} methods of these objects, and the tools of those that are tool providers. The annotation
     * {@link dev.idem.agent.tool.Once} declares the side effect of a method; without it, it is a WRITE.
     */
    public static IdemTools of(Idem idem, Object... objectsWithTools) {
        return like(Session.builder(idem)).and(objectsWithTools);
    }

    /**
     * No tools yet, with sessions that are opened by this builder.
     *
     * @throws IllegalStateException if LangChain4j is older than 1.17
     */
    public static IdemTools like(SessionBuilder session) {
        LANGCHAIN4J.check(IdemTools.class.getClassLoader());
        return new IdemTools(AdapterSessions.of(session, LINE_TO_ADD), List.of(), List.of(), ToolDeclarations.none());
    }

    /** These, and the {@code @Tool} methods of these objects. */
    public IdemTools and(Object... objectsWithTools) {
        IdemTools all = this;
        for (Object object : objectsWithTools) {
            // AiServices.tools(object) does the same, so the tools are the same.
            all = object instanceof ToolProvider other ? all.and(other) : all.and(ToolService.findTools(object));
        }
        return all;
    }

    /** These, and tools that were built by hand. */
    public IdemTools and(Collection<AiServiceTool> others) {
        List<AiServiceTool> all = new ArrayList<>(tools);
        for (AiServiceTool other : others) {
            // A wrong declaration must fail here, not at the first call.
            Declaring.of(other, false).tool(ToolDeclarations.none()).requireValid();
            if (other.toolExecutor() instanceof DefaultToolExecutor method) {
                AdapterSessions.requireWaits(method.originalMethod());
            }
            all.add(other);
        }
        return new IdemTools(sessions, List.copyOf(all), sources, declarations);
    }

    /** These, and the tools of another provider, such as an MCP server. */
    public IdemTools and(ToolProvider other) {
        List<Source> all = new ArrayList<>(sources);
        all.add(new Source(other, false));
        return new IdemTools(sessions, tools, List.copyOf(all), declarations);
    }

    /**
     * These, with trust in the hints of the providers so far: a read-only tool of an MCP server is a READ, an idempotent
     * one IDEMPOTENT, and a repeated call of it runs, a destructive one DESTRUCTIVE. Without it each of their tools is a
     * WRITE, so a second read gets the result of the first.
     */
    public IdemTools trustHints() {
        List<Source> trusted = sources.stream()
                .map(source -> new Source(source.provider(), true))
                .toList();
        return new IdemTools(sessions, tools, trusted, declarations);
    }

    /**
     * These, with further declarations for one tool, for tools without annotations:
     * {@code with("charge", tool -> tool.identity("customer").policy(Policy.write().passesKeyTo(STRIPE)))}.
     */
    public IdemTools with(String name, UnaryOperator<ToolBuilder<ToolInput>> change) {
        return new IdemTools(sessions, tools, sources, declarations.and(Map.of(name, change)));
    }

    /**
     * Names the task of one call, where the memory id is not the task: a chat may have many tasks.
     */
    public static InvocationParameters session(String id) {
        return InvocationParameters.from(Session.context(id));
    }

    /** The session with this id and its newest run, for its report. */
    public Session sessionOf(Object memoryId) {
        return sessions.session(memoryId);
    }

    /**
     * Answers a call of a tool that does not exist, instead of ending the run:
     * {@code .hallucinatedToolNameStrategy(tools::unknown)}.
     */
    public ToolExecutionResultMessage unknown(ToolExecutionRequest request) {
        String names = tools.isEmpty()
                ? ""
                : " The tools are: "
                        + String.join(
                                ", ", tools.stream().map(AiServiceTool::name).toList()) + ".";
        return ToolExecutionResultMessage.builder()
                .id(request.id())
                .toolName(request.name())
                .text("There is no tool '" + request.name() + "', so nothing was called." + names)
                .isError(true)
                .build();
    }

    @Override
    public ToolProviderResult provideTools(ToolProviderRequest request) {
        List<AiServiceTool> all = new ArrayList<>();
        tools.forEach(tool -> all.add(guarded(tool, null)));
        for (Source source : sources) {
            ToolProviderResult given = source.provider().provideTools(request);
            if (given != null) {
                if (!source.trusted()) {
                    declarations.warnOfHints(given.aiServiceTools(), AiServiceTool::name, Declaring::hinted, LOG);
                }
                given.aiServiceTools().forEach(tool -> all.add(guarded(tool, source)));
            }
        }
        return new ToolProviderResult(all);
    }

    @Override
    public boolean isDynamic() {
        return sources.stream().anyMatch(source -> source.provider().isDynamic());
    }

    private AiServiceTool guarded(AiServiceTool bare, @Nullable Source source) {
        if (declared.size() >= MOST_DECLARED) {
            declared.clear();
        }
        Tool tool = declared.computeIfAbsent(
                Declaring.of(bare, source != null && source.trusted()), said -> said.tool(declarations));
        Set<String> timeouts = clients.timeouts(bare.toolExecutor(), source == null ? null : source.provider());
        return bare.toBuilder()
                .toolExecutor(new GuardedExecutor(sessions, tool, bare.toolExecutor(), timeouts))
                .build();
    }
}
