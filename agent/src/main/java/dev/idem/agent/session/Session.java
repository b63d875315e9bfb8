package dev.idem.agent.session;

import dev.idem.Idem;
import dev.idem.SideEffect;
import dev.idem.agent.run.Entered;
import dev.idem.agent.run.Run;
import dev.idem.agent.tool.Tool;
import dev.idem.agent.tool.ToolAction;
import dev.idem.agent.tool.ToolAnswer;
import dev.idem.agent.tool.ToolAnswer.Refused;
import dev.idem.agent.tool.ToolAnswer.Status;
import dev.idem.agent.tool.Toolbox;
import dev.idem.agent.tool.Vetted;
import dev.idem.agent.tool.Vetting;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * One task of an agent. A tool call that has run does not run again: a duplicate gets the first result. After a restart,
 * in this process or another, a session with the same id goes on where the first one stopped.
 *
 * <pre>{@code
 * try (Session session = Session.of(idem, "order-flow-abc123", Toolbox.in(new Shop()))) {
 *     ToolAnswer answer = session.call("sendMail", "{\"to\":\"ann\",\"subject\":\"Order 7\"}");
 *     model.tell(answer.text());
 * }
 * }</pre>
 *
 * <p>A call walks {@code LoopGuard(Approval(Cache(Claim(Retry(tool)))))}: each step may answer, or ask the next one.
 *
 * <p>Thread-safe. It holds no resources; {@link #close} logs a report.
 */
public final class Session implements AutoCloseable {
    /** The name under which a framework's context carries the id of a session. */
    public static final String CONTEXT = "idem.session";

    private static final System.Logger LOG = System.getLogger("dev.idem.agent");

    private final String id;
    private final boolean stable;
    private final boolean noteInText;
    private final @Nullable MissingId missingId;
    private final @Nullable Run run;
    private final Toolbox tools;
    private final Preparing preparing;
    private final SessionCounts tally;
    private final CallPipeline pipeline;
    private final AtomicBoolean closed = new AtomicBoolean();

    Session(SessionBuilder settings) {
        this.id = settings.id();
        this.stable = settings.stable();
        this.noteInText = settings.hasNoteInText();
        this.missingId = settings.missingId();
        this.run = settings.run();
        this.tools = settings.tools();
        tools.all().forEach(Tool::requireValid);
        this.preparing = new Preparing(settings.idem(), id, settings.scope());
        this.tally = new SessionCounts(id);
        this.pipeline = new CallPipeline(settings);
        if (pipeline.shadows()) {
            LOG.log(
                    Level.WARNING,
                    "session {0} is a SHADOW RUN: only READs run, everything else is recorded and not done",
                    id);
        }
        if (!stable) {
            LOG.log(
                    Level.WARNING,
                    "session {0} was given no id, so it can''t survive a restart: what it has called would run again. "
                            + "Give the task''s own id: Session.of(idem, \"order-flow-abc123\")",
                    id);
        }
    }

    /**
     * The session of the task with this id, with these tools.
     *
     * @param id as for {@link SessionBuilder#id}: null is a random id, and a blank text is refused
     */
    public static Session of(Idem idem, @Nullable String id, Toolbox tools) {
        return builder(idem).id(id).tools(tools).open();
    }

    /** The same with a few tools. */
    public static Session of(Idem idem, @Nullable String id, Tool... tools) {
        return of(idem, id, Toolbox.of(tools));
    }

    /** A session with a random id. It can't survive a restart, and logs a warning that says so. */
    public static Session fresh(Idem idem, Tool... tools) {
        return builder(idem).tools(Toolbox.of(tools)).open();
    }

    /** A tool context that names the session, for frameworks that hand a map on to their tools. */
    public static Map<String, Object> context(String id) {
        return Map.of(CONTEXT, id);
    }

    /** A builder for a session with other settings. */
    public static SessionBuilder builder(Idem idem) {
        return new SessionBuilder(idem);
    }

    public String id() {
        return id;
    }

    /** Whether the id was given, so that a restart finds the earlier calls. */
    public boolean survivesRestart() {
        return stable;
    }

    public Toolbox tools() {
        return tools;
    }

    /** Calls a tool by its name, with arguments as JSON text. See {@link #call(ToolCall)}. */
    public ToolAnswer call(String tool, String jsonArguments) {
        return call(ToolCall.of(tool, jsonArguments));
    }

    /** Calls a tool by its name. See {@link #call(ToolCall)}. */
    public ToolAnswer call(String tool, Map<String, ?> arguments) {
        return call(ToolCall.of(tool, arguments));
    }

    /**
     * Calls a tool. Every ending that a model can react to is an answer: unknown tool, bad arguments, loop, failure,
     * doubt.
     *
     * @throws IllegalStateException if the session is closed, or the tool has no code
     * @throws Error that the tool's code threw, after the call was settled
     * @throws dev.idem.WaitInterruptedException when this thread was interrupted while it waited
     */
    public ToolAnswer call(ToolCall call) {
        if (closed.get()) {
            throw new IllegalStateException("session " + id + " is closed");
        }
        SessionCounts.Count count = tally.begin(call);
        if (run == null || Run.current().isPresent()) {
            return ended(call, count);
        }
        Entered inside = run.enter();
        try {
            return ended(call, count);
        } finally {
            inside.close();
        }
    }

    /** Counts the calls so far. */
    public SessionReport report() {
        return tally.report();
    }

    /** Closes the session and logs its report in one line. Later calls are refused. */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            LOG.log(Level.INFO, "session {0}: {1}", id, report());
        }
    }

    private ToolAnswer ended(ToolCall call, SessionCounts.Count count) {
        ToolAnswer answer = count.end(answer(call, count));
        return noteInText ? answer.withNoteInText() : answer;
    }

    private ToolAnswer answer(ToolCall call, SessionCounts.Count count) {
        Tool tool = call.tool != null ? call.tool : tools.find(call.name).orElse(null);
        if (tool == null) {
            return unknownTool(call.name, tools.names());
        }
        ToolAction<Vetted> action =
                call.action != null ? call.action : tool.action().orElse(null);
        if (action == null) {
            throw new IllegalStateException("tool '" + tool.name() + "' has no code; finish it with .run(...), or give "
                    + "the call its own with ToolCall.action(...)");
        }
        if (missingId != null && tool.sideEffect() != SideEffect.READ) {
            return missingId.refuse(tool);
        }
        Vetting vetting = call.json != null ? tool.vet(call.json) : tool.vet(call.arguments);
        if (vetting instanceof Vetting.Unfit unfit) {
            return new ToolAnswer.Refused(tool.name(), Status.BAD_ARGUMENTS, unfit.forModel(), null, null);
        }
        Prepared prepared = preparing.prepare(tool, ((Vetting.Fits) vetting).vetted(), call);
        count.about(prepared);
        return pipeline.run(prepared, action, count);
    }

    @Override
    public String toString() {
        return "Session[" + id + ": " + report() + "]";
    }

    private static Refused unknownTool(String name, List<String> known) {
        String text = "There is no tool '" + name + "', so nothing was called. "
                + (known.isEmpty() ? "There are no tools." : "The tools are: " + String.join(", ", known) + ".");
        return new Refused(name, Status.UNKNOWN_TOOL, text, null, null);
    }
}
