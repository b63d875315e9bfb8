package dev.idem.langchain4j;

import dev.idem.Idem;
import dev.idem.agent.session.Session;
import dev.idem.agent.session.SessionBuilder;
import dev.idem.agent.session.ToolGate;
import dev.idem.agent.tool.Tool;
import dev.idem.agent.tool.ToolBuilder;
import dev.idem.agent.tool.ToolInput;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.invocation.InvocationParameters;
import dev.langchain4j.service.tool.AiServiceTool;
import dev.langchain4j.service.tool.ToolProvider;
import dev.langchain4j.service.tool.ToolProviderRequest;
import dev.langchain4j.service.tool.ToolProviderResult;
import dev.langchain4j.service.tool.ToolService;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;

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
    private static final int MOST_DECLARED = 1_000;

    private static final String LINE_TO_ADD = "@MemoryId to a parameter that carries the id of the task, as in "
            + "`String chat(@MemoryId String session, @UserMessage String text);` (with a .chatMemoryProvider(...)), or "
            + "a parameter of type InvocationParameters that is given `IdemTools.session(\"order-flow-abc123\")`";

    private final ToolGate gate;
    private final List<AiServiceTool> tools;
    private final List<ToolProvider> providers;
    private final Map<String, UnaryOperator<ToolBuilder<ToolInput>>> declarations;

    /** Providers are asked with every invocation, and to read a schema takes longer than to look it up. */
    private final Map<Declaring, Tool> declared = new ConcurrentHashMap<>();

    private IdemTools(
            ToolGate gate,
            List<AiServiceTool> tools,
            List<ToolProvider> providers,
            Map<String, UnaryOperator<ToolBuilder<ToolInput>>> declarations) {
        this.gate = gate;
        this.tools = tools;
        this.providers = providers;
        this.declarations = declarations;
    }

    /**
     * The {@code @Tool} methods of these objects, and what those of them provide that are tool providers. {@link dev.idem.agent.tool.Guarded} beside it says what a method does
     * to the world; without it, it is a WRITE.
     */
    public static IdemTools of(Idem idem, Object... objectsWithTools) {
        return like(Session.builder(idem)).and(objectsWithTools);
    }

    /** No tools yet, for sessions that are opened like this one. */
    public static IdemTools like(SessionBuilder session) {
        return new IdemTools(ToolGate.of(session, LINE_TO_ADD), List.of(), List.of(), Map.of());
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
            Declaring.of(other).tool().requireItsFields();
            all.add(other);
        }
        return new IdemTools(gate, List.copyOf(all), providers, declarations);
    }

    /** These, and whatever another provider gives, such as the tools of an MCP server. */
    public IdemTools and(ToolProvider other) {
        List<ToolProvider> all = new ArrayList<>(providers);
        all.add(other);
        return new IdemTools(gate, tools, List.copyOf(all), declarations);
    }

    /**
     * These, with one declared further, which is the way for tools that have no annotations:
     * {@code with("charge", tool -> tool.identity("customer").passesKeyTo(STRIPE))}.
     */
    public IdemTools with(String name, UnaryOperator<ToolBuilder<ToolInput>> change) {
        Map<String, UnaryOperator<ToolBuilder<ToolInput>>> all = new LinkedHashMap<>(declarations);
        UnaryOperator<ToolBuilder<ToolInput>> before = all.getOrDefault(name, UnaryOperator.identity());
        all.put(name, tool -> change.apply(before.apply(tool)));
        return new IdemTools(gate, tools, providers, all);
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
        return gate.session(memoryId);
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
        List<AiServiceTool> all = new ArrayList<>(tools);
        for (ToolProvider provider : providers) {
            ToolProviderResult given = provider.provideTools(request);
            if (given != null) {
                all.addAll(given.aiServiceTools());
            }
        }
        return new ToolProviderResult(all.stream().map(this::guarded).toList());
    }

    @Override
    public boolean isDynamic() {
        return providers.stream().anyMatch(ToolProvider::isDynamic);
    }

    private AiServiceTool guarded(AiServiceTool bare) {
        if (declared.size() >= MOST_DECLARED) {
            declared.clear();
        }
        Tool tool = declared.computeIfAbsent(
                Declaring.of(bare),
                said -> said.tool().with(declarations.getOrDefault(bare.name(), UnaryOperator.identity())));
        return bare.toBuilder()
                .toolExecutor(new GuardedExecutor(gate, tool, bare.toolExecutor()))
                .build();
    }
}
