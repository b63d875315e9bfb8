package dev.idem.http.webhook;

import dev.idem.agent.inbox.Event;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** An event of a request that was accepted. Immutable. */
public final class WebhookEvent {
    private static final String TYPE = "type";
    private static final String ID_SIGNED = "id_signed";
    private static final Pattern DOT = Pattern.compile("\\.");

    private final String id;
    private final @Nullable String type;
    private final byte[] bytes;
    private final @Nullable Object json;
    private final Sender sender;
    private final boolean idSigned;

    WebhookEvent(
            String id, @Nullable String type, byte[] bytes, @Nullable Object json, Sender sender, boolean idSigned) {
        this.id = id;
        this.type = type;
        this.bytes = bytes;
        this.json = json;
        this.sender = sender;
        this.idSigned = idSigned;
    }

    /** The event as the inbox keeps it. */
    Event kept() {
        Event event = Event.of(id, bytes).with(ID_SIGNED, Boolean.toString(idSigned));
        return type == null ? event : event.with(TYPE, type);
    }

    static WebhookEvent of(Event kept, Sender sender) {
        byte[] bytes = kept.bytes();
        return new WebhookEvent(
                kept.id().orElseThrow(),
                kept.attribute(TYPE).orElse(null),
                bytes,
                Verifier.json(bytes),
                sender,
                kept.attribute(ID_SIGNED).map(Boolean::valueOf).orElse(false));
    }

    WebhookEvent withId(String other) {
        return new WebhookEvent(other, type, bytes, json, sender, sender.signsBody());
    }

    /** The id by which duplicates are found: the sender's, else the digest of the bytes. Any text. */
    public String id() {
        return id;
    }

    /** The type in the sender's words, for instance {@code invoice.paid}. Empty where the sender names none. */
    public Optional<String> type() {
        return Optional.ofNullable(type);
    }

    /** The body as it came. For an element of an array: its JSON, written again. */
    public byte[] bytes() {
        return bytes.clone();
    }

    /** The bytes as text, in UTF-8. */
    public String text() {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /** The bytes as {@link dev.idem.Json#parseExact(byte[])} reads them. Empty where they are not strict JSON. */
    public Optional<Object> json() {
        return Optional.ofNullable(json);
    }

    /** Text, number or boolean at a path in the JSON, with dots between the names: {@code data.object.id}. */
    public Optional<String> member(String path) {
        return Optional.ofNullable(member(json, path));
    }

    static @Nullable String member(@Nullable Object json, String path) {
        Object value = json;
        for (String name : DOT.split(path, -1)) {
            value = value instanceof Map<?, ?> members ? members.get(name) : null;
        }
        return value instanceof String || value instanceof Number || value instanceof Boolean ? value.toString() : null;
    }

    /** {@code sha256:} and the digest of the bytes in hex. */
    public String digest() {
        return Digests.named(bytes);
    }

    /**
     * Whether the sender signs the time of sending. If not, a captured request is valid for ever, and only the record
     * of its id keeps it from running again: give that record a tombstone.
     */
    public boolean timestamped() {
        return sender.timestamped();
    }

    /**
     * Whether the signature covers the id. If not, a captured request can be sent again under another id; {@code
     * idFrom(WebhookEvent::digest)} identifies its event by the signed body instead.
     */
    public boolean idSigned() {
        return idSigned;
    }

    /** Shows no body. */
    @Override
    public String toString() {
        return "WebhookEvent[" + sender.name() + " " + id + ", " + bytes.length + " bytes]";
    }
}
