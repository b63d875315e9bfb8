package dev.idem.conformance;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One call that the driver has to make, as the members of its line. Immutable. */
final class Job {
    private final Map<String, @Nullable Object> members;

    private Job(Map<String, @Nullable Object> members) {
        this.members = members;
    }

    /** A call with a key of the caller, whose action returns a value at once. */
    static Job of(String key) {
        return new Job(new LinkedHashMap<>())
                .with("scope", "conformance")
                .with("operation", "charge")
                .with("key", key)
                .with("identity", Map.of("key", key))
                .with("policy", Map.of("side_effect", "write"))
                .with("wait_ms", 0)
                .ending("value", Map.of("id", "value of " + key));
    }

    /** A copy with another member; null removes it. */
    Job with(String name, @Nullable Object value) {
        Map<String, @Nullable Object> all = new LinkedHashMap<>(members);
        all.remove(name);
        if (value != null) {
            all.put(name, value);
        }
        return new Job(all);
    }

    Job policy(String name, Object value) {
        Map<String, @Nullable Object> policy = part("policy");
        policy.put(name, value);
        return with("policy", policy);
    }

    /** The action returns this value. */
    Job returning(@Nullable Object value) {
        return ending("value", value);
    }

    /** The action ends with an error: {@code definite_error} or {@code other_error}. */
    Job throwing(String kind) {
        return ending(kind, null);
    }

    private Job ending(String kind, @Nullable Object value) {
        Map<String, @Nullable Object> action = part("action");
        action.put("ends", kind);
        action.put("value", value);
        return with("action", action);
    }

    /** The action runs until the file exists. */
    Job until(Path file) {
        return action("until", file.toString());
    }

    Job named(String name) {
        return action("name", name);
    }

    private Job action(String member, Object value) {
        Map<String, @Nullable Object> action = part("action");
        action.put(member, value);
        return with("action", action);
    }

    /** The client has a probe, which says {@code happened}, {@code not_executed} or {@code unknown}. */
    Job probe(String says, @Nullable Object value) {
        Map<String, @Nullable Object> probe = new LinkedHashMap<>();
        probe.put("says", says);
        probe.put("value", value);
        return with("probe", probe);
    }

    @SuppressWarnings("unchecked")
    private Map<String, @Nullable Object> part(String name) {
        return members.get(name) instanceof Map<?, ?> part
                ? new LinkedHashMap<>((Map<String, @Nullable Object>) part)
                : new LinkedHashMap<>();
    }

    String key() {
        return String.valueOf(members.get("key"));
    }

    @Nullable
    Object value() {
        return part("action").get("value");
    }

    Map<String, @Nullable Object> members() {
        return members;
    }
}
