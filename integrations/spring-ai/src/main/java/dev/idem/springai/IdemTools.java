package dev.idem.springai;

import dev.idem.Idem;
import dev.idem.agent.session.Session;
import dev.idem.agent.session.SessionBuilder;
import dev.idem.agent.session.ToolGate;
import dev.idem.agent.tool.Tool;
import dev.idem.agent.tool.ToolBuilder;
import dev.idem.agent.tool.ToolInput;
import dev.idem.call.Call;
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
 * The tools of a Spring AI chat client, guarded: what has run does not run again, and the model is told in words.
 *
 * <pre>
 * ChatClient client = ChatClient.builder(model)
 *         .defaultToolCallbacks(IdemTools.of(idem, new Shop()))
 *         .build();
 * client.prompt("Charge cus_1 42 dollars").toolContext(Session.context("order-flow-abc123")).call().content();
 * </pre>
 *
 * <p>The session is in the tool context, since Spring AI hands its tools nothing else that names a task. Where it is
 * absent only READs run, and the answer says which line to add.
 *
 * <p>Immutable, and good for any number of clients.
 */
public final class IdemTools implements ToolCallbackProvider {
    static final String CALL = "idem.call";

    private static final int MOST_DECLARED = 1_000;
    private static final String LINE_TO_ADD = ".toolContext(Session.context(\"order-flow-abc123\"))";

    private final ToolGate gate;
    private final List<ToolCallbackProvider> sources;
    private final Declarations declarations;

    /** Providers are asked with every prompt, and to read a schema takes longer than to look it up. */
    private final Map<ToolDefinition, Tool> declared = new ConcurrentHashMap<>();

    private IdemTools(ToolGate gate, List<ToolCallbackProvider> sources, Declarations declarations) {
        this.gate = gate;
        this.sources = sources;
        this.declarations = declarations;
    }

    /**
     * The {@code @Tool} methods of these objects. {@link dev.idem.agent.tool.Guarded} beside it says what a method does
     * to the world; without it, it is a WRITE. Tool callbacks and their providers do as well; what they do is declared
     * by name, {@link #with}, since they hide their methods.
     */
    public static IdemTools of(Idem idem, Object... tools) {
        return like(Session.builder(idem)).and(tools);
    }

    /** No tools yet, for sessions that are opened like this one. */
    public static IdemTools like(SessionBuilder session) {
        return new IdemTools(ToolGate.of(session, LINE_TO_ADD), List.of(), Declarations.NONE);
    }

    /** These and others, as {@link #of} takes them. */
    public IdemTools and(Object... tools) {
        List<ToolCallbackProvider> all = new ArrayList<>(sources);
        Declarations declared = declarations;
        for (Object tool : tools) {
            if (tool instanceof ToolCallback callback) {
                all.add(ToolCallbackProvider.from(callback));
            } else if (tool instanceof ToolCallbackProvider provider) {
                all.add(provider);
            } else {
                all.add(MethodTools.of(tool));
                declared = declared.and(MethodTools.guarded(tool));
            }
        }
        return new IdemTools(gate, List.copyOf(all), declared);
    }

    /**
     * These, with one declared further, which is the way for tools that have no annotations:
     * {@code with("charge", tool -> tool.identity("customer").passesKeyTo(STRIPE))}.
     */
    public IdemTools with(String name, UnaryOperator<ToolBuilder<ToolInput>> change) {
        return new IdemTools(gate, sources, declarations.and(Map.of(name, change)));
    }

    /**
     * The call that a tool runs under, with the key to hand to a remote that deduplicates by it.
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

    /** The session with this id, to ask for its report. */
    public Session sessionOf(String id) {
        return gate.session(id);
    }

    @Override
    public ToolCallback[] getToolCallbacks() {
        Map<String, ToolCallback> all = new LinkedHashMap<>();
        for (ToolCallbackProvider source : sources) {
            for (ToolCallback bare : source.getToolCallbacks()) {
                String name = bare.getToolDefinition().name();
                if (all.putIfAbsent(name, guard(bare)) != null) {
                    throw new IllegalStateException("there are two tools named '" + name + "'");
                }
            }
        }
        return all.values().toArray(ToolCallback[]::new);
    }

    /** One tool, guarded. */
    public ToolCallback guard(ToolCallback bare) {
        if (bare instanceof GuardedCallback) {
            return bare;
        } else if (declared.size() >= MOST_DECLARED) {
            declared.clear();
        }
        Tool tool = declared.computeIfAbsent(bare.getToolDefinition(), declarations::tool);
        return new GuardedCallback(gate, tool, bare);
    }

    /** Guards whatever a resolver finds by its name. */
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
