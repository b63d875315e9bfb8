package dev.idem.agent.session;

import dev.idem.JsonException;
import dev.idem.Key;
import dev.idem.agent.internal.GivenIds;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The ids that frameworks carry for a task, as names of sessions. */
final class TaskIds {
    private TaskIds() {}

    /** A name that is the same after a restart; null where the id has none. */
    static @Nullable String text(@Nullable Object id) {
        if (id == null || id.toString().isBlank()) {
            return null;
        }
        boolean plain =
                id instanceof CharSequence || id instanceof Number || id instanceof UUID || id instanceof Enum<?>;
        try {
            return plain ? requireScope(id.toString()) : derived(id);
        } catch (JsonException | IllegalArgumentException e) {
            // An object that is known by its address in memory would be another task after a restart.
            return null;
        }
    }

    /** The text, if it is a scope or something can stand for it as one. */
    private static String requireScope(String text) {
        return GivenIds.isScope(text) || !derived(text).isEmpty() ? text : "";
    }

    /** Stands for an id that is no text, or one that can't be a scope. */
    static String derived(Object id) {
        return Key.derive("", "session", id).value();
    }
}
