package dev.idem.agent.session;

import dev.idem.Json;
import dev.idem.JsonException;
import dev.idem.agent.tool.Tool;
import dev.idem.agent.tool.ToolAction;
import dev.idem.agent.tool.ToolAnswer;
import dev.idem.agent.tool.ToolInput;
import dev.idem.internal.codec.Unfinished;
import java.lang.reflect.Method;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The sessions of an adapter for a framework that names the task with each call. A call without an id gets a session in
 * which only READs run. Thread-safe.
 */
public final class AdapterSessions {
    private final Sessions sessions;
    private final String lineToAdd;

    private AdapterSessions(Sessions sessions, String lineToAdd) {
        this.sessions = sessions;
        this.lineToAdd = lineToAdd;
    }

    /**
     * Sessions that are opened by this builder.
     *
     * @param lineToAdd the line of code that a developer has to add if a call has no id
     */
    public static AdapterSessions of(SessionBuilder like, String lineToAdd) {
        return new AdapterSessions(Sessions.like(like), lineToAdd);
    }

    /**
     * The session of the task with this id and its newest run.
     *
     * @param id text, a number, a UUID or a record. Null, or a value without a stable form, means that there is no id, so
     *     that only READs run. Pass null for an id that the framework made up
     */
    public Session session(@Nullable Object id) {
        return session(id, null);
    }

    /**
     * Calls a tool of the framework.
     *
     * @param id the id of the task, see {@link #session}
     * @param run identifies the run of the agent, for the loop guard; null where the framework has no such id
     * @param json the arguments, as the model gave them
     * @param action lets the framework run the tool
     */
    public ToolAnswer call(
            @Nullable Object id, @Nullable Object run, Tool tool, @Nullable String json, ToolAction<ToolInput> action) {
        return session(id, run).call(ToolCall.of(tool, json == null ? "" : json).action(action));
    }

    private Session session(@Nullable Object id, @Nullable Object run) {
        String name = TaskIds.text(id);
        return name == null ? sessions.withoutId(lineToAdd) : sessions.get(name, run);
    }

    /**
     * Refuses a method that returns before its work has ended. Its future would count as the result, even if the work
     * failed later.
     *
     * @throws IllegalArgumentException if it returns a future, a publisher, a stream or the like
     */
    public static void requireWaits(Method method) {
        String refusal = Unfinished.refusal(method);
        if (refusal != null) {
            throw new IllegalArgumentException(refusal);
        }
    }

    /**
     * The arguments that a method sees: those that are in the schema of its tool and have a value. Other arguments must not
     * make a repeat look like a new call.
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
            return json; // vetting refuses it, with the usual message
        }
    }
}
