package dev.idem.agent.inbox;

import dev.idem.json.CanonicalJson;
import dev.idem.json.Json;
import dev.idem.json.JsonException;
import dev.idem.key.Key;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;

/** What an event is known by. */
final class EventKeys {
    private static final int LONGEST_KEY = 255;

    private EventKeys() {}

    /** The event's id where that is a key, else a key derived from its id or its body. Nothing is cut short. */
    static String keyOf(String scope, String operation, Event event) {
        return event.id()
                .map(id -> isKey(id)
                        ? id
                        : Key.derive(scope, operation, Map.of("id", id)).value())
                .orElseGet(() -> Key.derive(scope, operation, Map.of("body", digest(event.bytes())))
                        .value());
    }

    /** A digest of what the body says: of its canonical form if it is JSON, else of its bytes. */
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

    private static boolean isKey(String id) {
        return !id.isEmpty() && id.length() <= LONGEST_KEY && id.chars().allMatch(c -> c > ' ' && c <= '~');
    }

    private static String sha256(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
