package dev.idem.agent.inbox;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** An event as it was delivered: its id, where the source gives one, and its body. */
public final class Event {
    private final @Nullable String id;
    private final byte[] body;

    private Event(@Nullable String id, byte[] body) {
        this.id = id;
        this.body = body.clone();
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
