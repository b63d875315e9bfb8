package dev.idem.agent.session;

import dev.idem.Idem;
import dev.idem.agent.approval.Approvals;
import dev.idem.agent.cache.ToolCache;
import dev.idem.agent.guard.LoopGuard;
import dev.idem.agent.internal.GivenIds;
import dev.idem.agent.retry.Retry;
import dev.idem.agent.run.Run;
import dev.idem.agent.shadow.AuditLog;
import dev.idem.agent.shadow.Mode;
import dev.idem.agent.tool.Tool;
import dev.idem.agent.tool.Toolbox;
import java.time.InstantSource;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Opens sessions. Immutable and thread-safe: every method returns a new builder, so one builder may open many sessions.
 *
 * <pre>{@code
 * Session session = Session.builder(idem).id("order-flow-abc123").tools(charge, mail).retry(Retry.none()).open();
 * }</pre>
 */
public final class SessionBuilder implements Cloneable {
    private final Idem idem;
    private final Reads.Common common = new Reads.Common();
    private @Nullable String id;
    private boolean fresh;
    private boolean noteInText;
    private @Nullable MissingId missingId;
    private Toolbox tools = Toolbox.of();
    private @Nullable LoopGuard loopGuard = LoopGuard.standard();
    private @Nullable Retry retry;
    private @Nullable ToolCache cache;
    private @Nullable Approvals approvals;
    private @Nullable Mode mode;
    private @Nullable Run run;
    private AuditLog audit = AuditLog.inMemory();
    private InstantSource clock = InstantSource.system();

    SessionBuilder(Idem idem) {
        this.idem = idem;
    }

    /**
     * Sets the id of the task, as its caller knows it; a random id by default, which no restart finds again. It may be any
     * text. A text that can't be a scope (control characters, more than 255 characters) is hashed, and kept as the label
     * {@code id}.
     *
     * @param given null for a random id, with a warning when the session is opened
     * @throws IllegalArgumentException if it is blank: all such tasks would be one
     */
    public SessionBuilder id(@Nullable String given) {
        if (given != null && given.isBlank()) {
            throw new IllegalArgumentException(
                    "the id of a session is blank, and all tasks with a blank id would be one:"
                            + " the results of one caller would be another's. Give the task's own id, such as order-flow-abc125");
        }
        return with(copy -> copy.id = given);
    }

    /** Sets the tools that can be called by name; none by default. */
    public SessionBuilder tools(Toolbox all) {
        return with(copy -> copy.tools = all);
    }

    /** Sets the tools that can be called by name; none by default. */
    public SessionBuilder tools(Tool... all) {
        return tools(Toolbox.of(all));
    }

    /**
     * Lets only READs run, and refuses all other tools. Adapters use it for calls without a stable id.
     *
     * @param line the line of code that the developer has to add
     */
    public SessionBuilder readsOnly(String line) {
        return readsOnly(new MissingId(line, ConcurrentHashMap.newKeySet()));
    }

    SessionBuilder readsOnly(MissingId refusing) {
        return with(copy -> copy.missingId = refusing);
    }

    /** Sets the loop guard; by default it stops the third identical call within eight. */
    public SessionBuilder loopGuard(LoopGuard given) {
        return with(copy -> copy.loopGuard = given);
    }

    /** Switches the loop guard off. Duplicates still get the first result. */
    public SessionBuilder withoutLoopGuard() {
        return with(copy -> copy.loopGuard = null);
    }

    /**
     * Sets the back-off, budget and classification of retries for tools that set none; {@link Retry#standard()} by default,
     * with the time limit of the tool for all tries. The side effect decides whether there are retries at all.
     */
    public SessionBuilder retry(Retry policy) {
        return with(copy -> copy.retry = policy);
    }

    /**
     * Sets the cache of READs; by default the session has its own. Tools that share a region share it between the sessions
     * with the same cache, or of the same builder.
     */
    public SessionBuilder cache(ToolCache shared) {
        return with(copy -> copy.cache = shared);
    }

    /** Sets where approvals are kept; in the ledger of the session by default. */
    public SessionBuilder approvals(Approvals given) {
        return with(copy -> copy.approvals = given);
    }

    /** Sets whether tools with effects run; the environment variable {@code IDEM_MODE} decides by default. */
    public SessionBuilder mode(Mode given) {
        return with(copy -> copy.mode = given);
    }

    /** Makes it a shadow run: READs run, and all other calls are recorded in this log instead. */
    public SessionBuilder shadow(AuditLog log) {
        return with(copy -> {
            copy.mode = Mode.SHADOW;
            copy.audit = log;
        });
    }

    /**
     * Sets the run of its calls; none by default. A run that is current in the calling thread comes first. Entries get the
     * id of the run as a label, and tools, listeners and log lines find it as the current run.
     */
    public SessionBuilder run(Run of) {
        return with(copy -> copy.run = of);
    }

    /**
     * Puts the note that a result is an earlier one below its text, for the model. By default the text is that of the first
     * call, and the note is beside it: {@link dev.idem.agent.tool.ToolAnswer#note}.
     */
    public SessionBuilder noteInText() {
        return with(copy -> copy.noteInText = true);
    }

    /** Sets the wall clock of approvals and audit lines; the system clock by default. */
    public SessionBuilder clock(InstantSource source) {
        return with(copy -> copy.clock = source);
    }

    /**
     * Opens the session. Nothing is written until a tool is called.
     *
     * @throws IllegalArgumentException if a tool names a field that is not one of its arguments
     */
    public Session open() {
        return new Session(id == null ? id("fresh-" + UUID.randomUUID()).with(copy -> copy.fresh = true) : this);
    }

    Idem idem() {
        return idem;
    }

    String id() {
        return id == null ? "" : id;
    }

    /** The scope of the entries: the id, or a digest of an id that can't be a scope. */
    String scope() {
        return GivenIds.isScope(id()) ? id() : TaskIds.derived(id());
    }

    boolean hasNoteInText() {
        return noteInText;
    }

    boolean stable() {
        return !fresh;
    }

    @Nullable
    MissingId missingId() {
        return missingId;
    }

    Toolbox tools() {
        return tools;
    }

    @Nullable
    Run run() {
        return run;
    }

    @Nullable
    LoopGuard loopGuard() {
        return loopGuard;
    }

    @Nullable
    Retry retry() {
        return retry;
    }

    Reads reads() {
        Set<String> shared =
                tools.all().stream().flatMap(tool -> tool.sharedIn().stream()).collect(Collectors.toUnmodifiableSet());
        return new Reads(scope(), cache, common, shared);
    }

    Approvals approvals() {
        return approvals != null ? approvals : Approvals.on(idem).clock(clock);
    }

    /** Null when tools run normally. */
    @Nullable
    Shadow shadow() {
        Mode chosen = mode != null ? mode : Mode.of(System.getenv());
        return chosen == Mode.LIVE ? null : new Shadow(idem, audit, clock);
    }

    private SessionBuilder with(Consumer<SessionBuilder> change) {
        try {
            SessionBuilder copy = (SessionBuilder) clone();
            change.accept(copy);
            return copy;
        } catch (CloneNotSupportedException e) {
            throw new AssertionError(e);
        }
    }
}
