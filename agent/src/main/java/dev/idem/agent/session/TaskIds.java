package dev.idem.agent.session;

import dev.idem.entry.Address;
import dev.idem.json.JsonException;
import dev.idem.key.Key;
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
            return plain ? new Address(id.toString(), "session", "id").scope() : derived(id);
        } catch (IllegalArgumentException e) {
            return derived(id.toString()); // too long, or not to be printed
        }
    }

    private static @Nullable String derived(Object id) {
        try {
            return Key.derive("", "session", id).value();
        } catch (JsonException | IllegalArgumentException e) {
            // An object that is known by its address in memory would be another task after a restart.
            return null;
        }
    }
}
