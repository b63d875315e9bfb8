package dev.idem.agent.session;

import dev.idem.agent.tool.Tool;
import dev.idem.agent.tool.ToolAction;
import dev.idem.agent.tool.ToolAnswer;
import dev.idem.agent.tool.ToolInput;
import dev.idem.json.Json;
import dev.idem.json.JsonException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The gate through which an adapter lets the calls of a framework that names the task with each of them. It keeps the
 * sessions by their ids, and lets nothing that has effects through where nobody gave an id.
 *
 * <p>It is good for all threads.
 */
public final class ToolGate {
    /** A session that was put away is opened again from the ledger; only its counters start anew. */
    private static final int MOST_OPEN = 1_000;

    private final SessionBuilder like;
    private final String lineToAdd;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, Session> open = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Session> eldest) {
            return size() > MOST_OPEN;
        }
    };

    private ToolGate(SessionBuilder like, String lineToAdd) {
        this.like = like;
        this.lineToAdd = lineToAdd;
    }

    /**
     * A gate whose sessions are opened like this one.
     *
     * @param lineToAdd what a developer has to add where no id was given, as it stands in code
     */
    public static ToolGate of(SessionBuilder like, String lineToAdd) {
        return new ToolGate(like, lineToAdd);
    }

    /**
     * The session of the task with this id.
     *
     * @param id text, a number, a uuid or a record; null, or whatever else has no lasting form, stands for none, and
     *     then only READs run. An id that the framework made up must be given as null
     */
    public Session session(@Nullable Object id) {
        String name = TaskIds.text(id);
        if (name == null) {
            // A name of its own each time: two callers without one must not share what they have read.
            return like.id("unnamed-" + UUID.randomUUID()).readsOnly(lineToAdd).open();
        }
        lock.lock();
        try {
            return open.computeIfAbsent(name, made -> like.id(made).open());
        } finally {
            lock.unlock();
        }
    }

    /**
     * Calls a tool that a framework has.
     *
     * @param id the task's, as {@link #session} takes it
     * @param json the arguments, as the model gave them
     * @param action lets the framework run the tool
     */
    public ToolAnswer call(@Nullable Object id, Tool tool, @Nullable String json, ToolAction<ToolInput> action) {
        return session(id)
                .call(ToolCall.of(tool, json == null ? "" : json).action(action));
    }

    /**
     * The arguments that a method gets to see: those that the schema of its tool names and that have a value. What it
     * never sees must not make a repeat look like a new call.
     */
    public static @Nullable String seenByMethod(Tool tool, @Nullable String json) {
        List<String> known = tool.schema().map(schema -> schema.fields()).orElse(List.of());
        if (json == null) {
            return null;
        }
        try {
            Map<String, @Nullable Object> given = ToolInput.parse(json).fields();
            Map<String, @Nullable Object> seen = new LinkedHashMap<>(given);
            seen.entrySet().removeIf(field -> field.getValue() == null || !known.contains(field.getKey()));
            return seen.size() == given.size() ? json : Json.write(seen);
        } catch (JsonException e) {
            return json; // to be refused in the words of all such errors
        }
    }
}
