package dev.idem.agent.inbox;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** An event as it was delivered: its id, where the source gives one, its body, and what else belongs to it. Immutable. */
public final class Event {
    private final @Nullable String id;
    private final byte[] body;
    private final Map<String, String> attributes;

    private Event(@Nullable String id, byte[] body) {
        this(id, body.clone(), Map.of());
    }

    private Event(@Nullable String id, byte[] body, Map<String, String> attributes) {
        this.id = id;
        this.body = body;
        this.attributes = attributes;
    }

    /** An event with the id that its source gave it, the same at every delivery. */
    public static Event of(String id, String body) {
        return new Event(id, body.getBytes(StandardCharsets.UTF_8));
    }

    /** An event with the id that its source gave it, the same at every delivery. */
    public static Event of(String id, byte[] body) {
        return new Event(id, body);
    }

    /**
     * An event without an id: its body identifies it. JSON bodies are compared in canonical form, so two events with the
     * same content are one.
     */
    public static Event ofBody(String body) {
        return new Event(null, body.getBytes(StandardCharsets.UTF_8));
    }

    /** An event without an id: its body identifies it. */
    public static Event ofBody(byte[] body) {
        return new Event(null, body);
    }

    /** The same event with an attribute that is not in its body, such as a type. It does not identify the event. */
    public Event with(String name, String value) {
        Map<String, String> more = new TreeMap<>(attributes);
        more.put(name, value);
        return new Event(id, body, Map.copyOf(more));
    }

    /** The value of an attribute. */
    public Optional<String> attribute(String name) {
        return Optional.ofNullable(attributes.get(name));
    }

    Map<String, String> attributes() {
        return attributes;
    }

    /** The id that the source gave it. */
    public Optional<String> id() {
        return Optional.ofNullable(id);
    }

    /** The body, as it came. */
    public byte[] bytes() {
        return body.clone();
    }

    /** The body as text, in UTF-8. */
    public String text() {
        return new String(body, StandardCharsets.UTF_8);
    }

    /** Shows no body. */
    @Override
    public String toString() {
        return "Event[" + (id == null ? "known by its body" : id) + ", " + body.length + " bytes]";
    }
}
