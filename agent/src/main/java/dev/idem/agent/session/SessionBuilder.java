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
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A session that is about to be opened. Immutable: every method gives a new one, so one may be the model of many. */
public final class SessionBuilder implements Cloneable {
    private final Idem idem;
    private final Reads.Common common = new Reads.Common();
    private @Nullable String id;
    private boolean fresh;
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
     * The task's id, from whoever began it; without one the session gets an id that no restart would find again. Any text
     * will do: one that can't be a scope (control characters, more than 255 characters) is hashed for it, and is then
     * kept as the label {@code id}.
     */
    public SessionBuilder id(String given) {
        return with(copy -> copy.id = given);
    }

    /** What it can call. */
    public SessionBuilder tools(Toolbox all) {
        return with(copy -> copy.tools = all);
    }

    /** What it can call. */
    public SessionBuilder tools(Tool... all) {
        return tools(Toolbox.of(all));
    }

    /**
     * For adapters: nobody has given an id that a restart would find again, so that only READs may run. Everything else
     * is refused.
     *
     * @param line what the developer has to add, as it stands in code
     */
    public SessionBuilder readsOnly(String line) {
        return readsOnly(new MissingId(line, ConcurrentHashMap.newKeySet()));
    }

    SessionBuilder readsOnly(MissingId refusing) {
        return with(copy -> copy.missingId = refusing);
    }

    /** What its calls are held to; the third identical call within eight is stopped unless told. */
    public SessionBuilder loopGuard(LoopGuard given) {
        return with(copy -> copy.loopGuard = given);
    }

    /** Lets a model repeat itself as often as it likes: a duplicate is answered all the same. */
    public SessionBuilder withoutLoopGuard() {
        return with(copy -> copy.loopGuard = null);
    }

    /**
     * How failed calls are tried again, as far as their side effects allow, where the tool does not say itself;
     * {@link Retry#standard()} unless told, with the tool's time limit for all tries.
     */
    public SessionBuilder retry(Retry policy) {
        return with(copy -> copy.retry = policy);
    }

    /**
     * Where the results of READs with a TTL are kept; in a cache of the session's own unless told. What tools share is
     * shared by the sessions that are given the same cache, or opened by the same builder.
     */
    public SessionBuilder cache(ToolCache shared) {
        return with(copy -> copy.cache = shared);
    }

    /** Who is asked about tools that need an approval; those kept in the same ledger unless told. */
    public SessionBuilder approvals(Approvals given) {
        return with(copy -> copy.approvals = given);
    }

    /** Whether tools that change something run; what the environment variable {@code IDEM_MODE} says unless told. */
    public SessionBuilder mode(Mode given) {
        return with(copy -> copy.mode = given);
    }

    /** Records what would have been done, and does nothing but read. */
    public SessionBuilder shadow(AuditLog log) {
        return with(copy -> {
            copy.mode = Mode.SHADOW;
            copy.audit = log;
        });
    }

    /**
     * The run that its calls belong to, in whichever thread they are made, unless that thread is inside of a run of its
     * own. Entries get its id as a label, and tools, listeners and log lines find it as the current run.
     */
    public SessionBuilder run(Run of) {
        return with(copy -> copy.run = of);
    }

    /** The wall clock of what is recorded. */
    public SessionBuilder clock(InstantSource source) {
        return with(copy -> copy.clock = source);
    }

    /** Opens it. Nothing is written until a tool is called. */
    public Session open() {
        return new Session(id == null ? id("fresh-" + UUID.randomUUID()).with(copy -> copy.fresh = true) : this);
    }

    Idem idem() {
        return idem;
    }

    String id() {
        return id == null ? "" : id;
    }

    /** The scope of its entries: its id, or a digest of an id that can't be a scope. */
    String scope() {
        return GivenIds.isScope(id()) ? id() : TaskIds.derived(id());
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
        return new Reads(scope(), cache, common);
    }

    Approvals approvals() {
        return approvals != null ? approvals : Approvals.on(idem).clock(clock);
    }

    /** Null when tools are to run. */
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
