package dev.idem.agent.session;

import dev.idem.Idem;
import dev.idem.agent.tool.Tool;
import dev.idem.agent.tool.Toolbox;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A session that is about to be opened. Immutable: every method gives a new one, so one may be the model of many. */
public final class SessionBuilder implements Cloneable {
    private final Idem idem;
    private @Nullable String id;
    private boolean fresh;
    private @Nullable String lineToAdd;
    private Toolbox tools = Toolbox.of();

    SessionBuilder(Idem idem) {
        this.idem = idem;
    }

    /** The task's id, from whoever began it; without one the session gets an id that no restart would find again. */
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
        return with(copy -> copy.lineToAdd = line);
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

    boolean stable() {
        return !fresh;
    }

    @Nullable
    String lineToAdd() {
        return lineToAdd;
    }

    Toolbox tools() {
        return tools;
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
