package dev.idem.mcp;

import dev.idem.Json;
import dev.idem.internal.key.Key;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What identifies a call: a given key, or its arguments. Never the id of the JSON-RPC request, which hosts use again, and
 * never a key that a model put into the arguments, because models make a new one for every attempt.
 *
 * @param given the key that the host or the rules name; null where it is derived
 * @param arguments without keys that a model made; with the answers to an earlier question of the server
 */
record CallKey(@Nullable String given, Map<String, @Nullable Object> arguments) {
    private static final String CONTINUATION = "dev.idem/continuation";
    private static final Set<String> OF_MODELS = Set.of("idempotency_key", "idempotencyKey", "idempotency-key");

    static CallKey of(Message request, ToolRule rule) {
        return of(request, request.param("arguments") instanceof Map<?, ?> map ? map : Map.of(), rule);
    }

    static CallKey of(Message request, Map<?, ?> arguments, ToolRule rule) {
        String given = given(request, arguments, rule);
        Map<String, @Nullable Object> identifying = without(arguments);
        if (identifying.get("meta") instanceof Map<?, ?> meta) {
            identifying.put("meta", without(meta));
        }
        String continuation = continuation(request);
        if (continuation != null) {
            identifying.put(CONTINUATION, continuation);
            given = given == null ? null : given + "#" + continuation;
        }
        return new CallKey(given, identifying);
    }

    private static @Nullable String given(Message request, Map<?, ?> arguments, ToolRule rule) {
        for (Object told : new Object[] {
            request.meta("dev.idem/key"),
            request.param("idempotencyKey"),
            rule.key() == null ? null : Pointer.find(arguments, rule.key())
        }) {
            if ((told instanceof String || told instanceof Number)
                    && !told.toString().isBlank()) {
                return told.toString();
            }
        }
        return null;
    }

    private static Map<String, @Nullable Object> without(Map<?, ?> members) {
        Map<String, @Nullable Object> rest = new LinkedHashMap<>();
        members.forEach((name, value) -> {
            if (!OF_MODELS.contains(name)) {
                rest.put(String.valueOf(name), value);
            }
        });
        return rest;
    }

    /** A digest of the answers to what the server asked in an earlier round of the same call; null in the first. */
    private static @Nullable String continuation(Message request) {
        Object responses = request.param("inputResponses");
        Object state = request.param("requestState");
        if (responses == null && state == null) {
            return null;
        }
        Map<String, @Nullable Object> both = new LinkedHashMap<>();
        both.put("inputResponses", responses);
        both.put("requestState", state);
        return digest(Json.write(both)).substring(0, 32);
    }

    static String digest(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    boolean isDerived() {
        return given == null;
    }

    /** The arguments that identify the call by its rule. */
    String[] identity(ToolRule rule) {
        List<String> names = new ArrayList<>(rule.identity());
        if (arguments.containsKey(CONTINUATION)) {
            names.add(CONTINUATION);
        }
        return names.toArray(String[]::new);
    }

    /** The key of the entry. */
    String in(String scope, String tool, ToolRule rule) {
        if (given != null) {
            return Key.ofId(given).value();
        }
        Map<String, @Nullable Object> identity = new LinkedHashMap<>(arguments);
        if (!rule.identity().isEmpty()) {
            identity.keySet().retainAll(List.of(identity(rule)));
        }
        return Key.derive(scope, tool, identity).value();
    }
}
