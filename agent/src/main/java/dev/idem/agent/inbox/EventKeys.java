package dev.idem.agent.inbox;

import dev.idem.Json;
import dev.idem.JsonException;
import dev.idem.Key;
import dev.idem.Operation;
import dev.idem.internal.json.CanonicalJson;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The keys of events. */
final class EventKeys {
    private EventKeys() {}

    /** The event's id where that is a key, else a key derived from its id or its body. Nothing is cut short. */
    static <T extends @Nullable Object> Operation<T> known(Operation<T> operation, String scope, Event event) {
        String id = event.id().orElse("");
        if (!id.isEmpty()) {
            return operation.id(id).identity(Map.of("event", id));
        }
        // The identity differs from that of an event whose id looks like this key.
        return operation.key(of(scope, event)).identity(Map.of("body", digest(event.bytes())));
    }

    /** The key of an event. */
    static String of(String scope, Event event) {
        String id = event.id().orElse("");
        return id.isEmpty()
                ? Key.derive(scope, InboxPlan.EVENT, Map.of("body", digest(event.bytes())))
                        .value()
                : Key.ofId(id).value();
    }

    /** A digest of the body: of its canonical form if it is JSON, else of its bytes. */
    static String digest(byte[] body) {
        return sha256(canonical(body));
    }

    private static byte[] canonical(byte[] body) {
        try {
            return CanonicalJson.plainBytes(Json.parse(body));
        } catch (JsonException notJson) {
            return body;
        }
    }

    private static String sha256(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
