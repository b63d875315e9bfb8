package dev.idem.langchain4j;

import dev.idem.Idem;
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
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The tools of a LangChain4j assistant, guarded: what has run does not run again, and the model is told in words.
 *
 * <pre>
 * Assistant assistant = AiServices.builder(Assistant.class)
 *         .chatModel(model)
 *         .chatMemoryProvider(id -&gt; MessageWindowChatMemory.withMaxMessages(20))
 *         .toolProvider(IdemTools.of(idem, new Shop()))
 *         .build();
 * </pre>
 *
 * <p>The session is the {@code @MemoryId} of the call, or what {@link #session} was given. Where there is neither,
 * LangChain4j has all users share one memory; then only READs run, and the answer says which line to add.
 *
 * <p>Immutable, and good for any number of assistants.
 */
public final class IdemTools implements ToolProvider {
    private static final System.Logger LOG = System.getLogger("dev.idem.langchain4j");
    private static final int MOST_DECLARED = 1_000;

    private static final String LINE_TO_ADD = "@MemoryId to a parameter that carries the id of the task, as in "
            + "`String chat(@MemoryId String session, @UserMessage String text);` (with a .chatMemoryProvider(...)), or "
            + "a parameter of type InvocationParameters that is given `IdemTools.session(\"order-flow-abc123\")`";

    private final AdapterSessions sessions;
    private final List<AiServiceTool> tools;
    private final List<Source> sources;
    private final Map<String, UnaryOperator<ToolBuilder<ToolInput>>> declarations;
    private final McpClients clients = new McpClients();
    private final AtomicBoolean warned = new AtomicBoolean();

    /** Providers are asked with every invocation, and to read a schema takes longer than to look it up. */
    private final Map<Declaring, Tool> declared = new ConcurrentHashMap<>();

    /** A provider, and whether the hints of its tools count. */
    private record Source(ToolProvider provider, boolean trusted) {}

    private IdemTools(
            AdapterSessions sessions,
            List<AiServiceTool> tools,
            List<Source> sources,
            Map<String, UnaryOperator<ToolBuilder<ToolInput>>> declarations) {
        this.sessions = sessions;
        this.tools = tools;
        this.sources = sources;
        this.declarations = declarations;
    }

    /**
     * The {@code @Tool} methods of these objects, and what those of them provide that are tool providers. {@link dev.idem.agent.tool.Once} beside it says what a method does
     * to the world; without it, it is a WRITE.
     */
    public static IdemTools of(Idem idem, Object... objectsWithTools) {
        return like(Session.builder(idem)).and(objectsWithTools);
    }

    /**
     * No tools yet, for sessions that are opened like this one.
     *
     * @throws IllegalStateException when LangChain4j is older than 1.17
     */
    public static IdemTools like(SessionBuilder session) {
        Required.check(IdemTools.class.getClassLoader());
        return new IdemTools(AdapterSessions.of(session, LINE_TO_ADD), List.of(), List.of(), Map.of());
    }

    /** These, and the {@code @Tool} methods of these objects. */
    public IdemTools and(Object... objectsWithTools) {
        IdemTools all = this;
        for (Object object : objectsWithTools) {
            // What AiServices.tools(object) does, so that the tools are the very same.
            all = object instanceof ToolProvider other ? all.and(other) : all.and(ToolService.findTools(object));
        }
        return all;
    }

    /** These, and tools that were put together by hand. */
    public IdemTools and(Collection<AiServiceTool> others) {
        List<AiServiceTool> all = new ArrayList<>(tools);
        for (AiServiceTool other : others) {
            // What is declared wrongly is to be told here, and not to the first who asks the assistant something.
            Declaring.of(other, false).tool().requireValid();
            if (other.toolExecutor() instanceof DefaultToolExecutor method) {
                AdapterSessions.requireWaits(method.originalMethod());
            }
            all.add(other);
        }
        return new IdemTools(sessions, List.copyOf(all), sources, declarations);
    }

    /** These, and whatever another provider gives, such as the tools of an MCP server. */
    public IdemTools and(ToolProvider other) {
        List<Source> all = new ArrayList<>(sources);
        all.add(new Source(other, false));
        return new IdemTools(sessions, tools, List.copyOf(all), declarations);
    }

    /**
     * These, where the hints of the providers so far are trusted: what an MCP server calls read-only is a READ,
     * idempotent is IDEMPOTENT, destructive is DESTRUCTIVE. Without this each of their tools is a WRITE, and a second
     * look at something is answered with what the first one saw.
     */
    public IdemTools trustHints() {
        List<Source> trusted = sources.stream()
                .map(source -> new Source(source.provider(), true))
                .toList();
        return new IdemTools(sessions, tools, trusted, declarations);
    }

    /**
     * These, with one declared further, which is the way for tools that have no annotations:
     * {@code with("charge", tool -> tool.identity("customer").policy(Policy.write().passesKeyTo(STRIPE)))}.
     */
    public IdemTools with(String name, UnaryOperator<ToolBuilder<ToolInput>> change) {
        Map<String, UnaryOperator<ToolBuilder<ToolInput>>> all = new LinkedHashMap<>(declarations);
        UnaryOperator<ToolBuilder<ToolInput>> before = all.getOrDefault(name, UnaryOperator.identity());
        all.put(name, tool -> change.apply(before.apply(tool)));
        return new IdemTools(sessions, tools, sources, all);
    }

    /**
     * Names the task of one call where the memory id does not: a chat may have many tasks, and tomorrow's identical
     * charge is a new one.
     */
    public static InvocationParameters session(String id) {
        return InvocationParameters.from(Session.context(id));
    }

    /** The session with this id as its newest run has it, to ask for its report. */
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
                warnOfHints(source, given.aiServiceTools());
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
                Declaring.of(bare, source != null && source.trusted()),
                said -> said.tool().with(declarations.getOrDefault(bare.name(), UnaryOperator.identity())));
        Set<String> timeouts = clients.timeouts(bare.toolExecutor(), source == null ? null : source.provider());
        return bare.toBuilder()
                .toolExecutor(new GuardedExecutor(sessions, tool, bare.toolExecutor(), timeouts))
                .build();
    }

    private void warnOfHints(Source source, List<AiServiceTool> given) {
        if (source.trusted() || warned.get()) {
            return;
        }
        Set<String> hinted = new TreeSet<>();
        for (AiServiceTool tool : given) {
            if (!declarations.containsKey(tool.name()) && Declaring.hinted(tool).isPresent()) {
                hinted.add(tool.name());
            }
        }
        if (!hinted.isEmpty() && warned.compareAndSet(false, true)) {
            LOG.log(
                    Level.WARNING,
                    "hints of an MCP server say what these tools do, and are not trusted: {0}. Each of them is taken "
                            + "for a WRITE, so a second read gets the result of the first. If you trust the server: "
                            + "IdemTools.of(idem, provider).trustHints()",
                    String.join(", ", hinted));
        }
    }
}
