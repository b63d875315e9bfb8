package dev.idem.agent.tool;

import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The fields of the arguments that identify a call. With identity fields named, all others are content; with content
 * fields named, all others are identity; with none named, all fields are identity. Ignored fields are neither.
 */
public record Fields(Set<String> identity, Set<String> content, Set<String> ignored) {
    /** All arguments are identity. This is the last resort: a model rewords text. */
    public static final Fields ALL = new Fields(Set.of(), Set.of(), Set.of());

    /** Checks its parts; throws {@link IllegalArgumentException} when a field is named as two things. */
    public Fields {
        identity = Set.copyOf(identity);
        content = Set.copyOf(content);
        ignored = Set.copyOf(ignored);
        for (String name : identity) {
            if (content.contains(name) || ignored.contains(name)) {
                throw new IllegalArgumentException("field '" + name + "' is identity, and can't be anything else");
            }
        }
        for (String name : content) {
            if (ignored.contains(name)) {
                throw new IllegalArgumentException("field '" + name + "' can't be both content and ignored");
            }
        }
    }

    /**
     * Refuses names that are not arguments. All calls would have the same identity, and all but the first would count as
     * duplicates.
     *
     * @param known the names of the arguments; empty where they are not known
     */
    void requireNamesOf(String tool, List<String> known) {
        for (Set<String> names : List.of(identity, content, ignored)) {
            for (String name : names) {
                if (!known.isEmpty() && !known.contains(name)) {
                    throw new IllegalArgumentException("tool '" + tool + "' has no argument '" + name
                            + "' that could be its identity, content or ignored; its arguments are "
                            + String.join(", ", known) + ". Name one of these; where they are arg0, arg1 …, compile "
                            + "with -parameters");
                }
            }
        }
    }

    /** Whether all identity fields of a call are absent. */
    boolean tellNothing(Map<String, @Nullable Object> identityOfCall) {
        return !identity.isEmpty() && identityOfCall.values().stream().allMatch(Objects::isNull);
    }

    Map<String, @Nullable Object> identityOf(Map<String, @Nullable Object> arguments) {
        if (identity.isEmpty()) {
            return without(arguments, content, ignored);
        }
        Map<String, @Nullable Object> kept = new LinkedHashMap<>(arguments);
        kept.keySet().retainAll(identity);
        return Collections.unmodifiableMap(kept);
    }

    @Nullable
    Map<String, @Nullable Object> contentOf(Map<String, @Nullable Object> arguments) {
        if (identity.isEmpty() && content.isEmpty()) {
            return null;
        }
        if (!identity.isEmpty()) {
            return without(arguments, identity, ignored);
        }
        Map<String, @Nullable Object> kept = new LinkedHashMap<>(arguments);
        kept.keySet().retainAll(content);
        return Collections.unmodifiableMap(kept);
    }

    private static Map<String, @Nullable Object> without(
            Map<String, @Nullable Object> arguments, Collection<String> some, Collection<String> others) {
        if (some.isEmpty() && others.isEmpty()) {
            return arguments;
        }
        Map<String, @Nullable Object> rest = new LinkedHashMap<>(arguments);
        rest.keySet().removeAll(some);
        rest.keySet().removeAll(others);
        return Collections.unmodifiableMap(rest);
    }
}
