package dev.idem.mcp;

import dev.idem.internal.key.Key;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What identifies a call: a given key, or its arguments. Never the id of the JSON-RPC request, which hosts use again, and
 * never a key that a model put into the arguments, because models make a new one for every attempt.
 *
 * @param given the key that the host or the rules name; null where it is derived
 * @param arguments without keys that a model made. What a server asked for in an earlier round is not part of it: all
 *     rounds are one call
 */
record CallKey(@Nullable String given, Map<String, @Nullable Object> arguments) {
    static final Set<String> OF_MODELS = Set.of("idempotency_key", "idempotencyKey", "idempotency-key");

    static CallKey of(HostCall host, ToolRule rule) {
        Message request = host.request();
        Map<?, ?> arguments = request.param("arguments") instanceof Map<?, ?> map ? map : Map.of();
        CallKey ofArguments = of(arguments, rule);
        String told = text(request.meta("dev.idem/key"));
        told = told == null ? text(request.param("idempotencyKey")) : told;
        told = told == null ? host.keyBeside().orElse(null) : told;
        return told == null ? ofArguments : new CallKey(told, ofArguments.arguments);
    }

    /** The key of a call with these arguments, without a key of the host. */
    static CallKey of(Map<?, ?> arguments, ToolRule rule) {
        return of(text(rule.key() == null ? null : Pointer.find(arguments, rule.key())), arguments);
    }

    private static CallKey of(@Nullable String given, Map<?, ?> arguments) {
        Map<String, @Nullable Object> identifying = without(arguments);
        if (identifying.get("meta") instanceof Map<?, ?> meta) {
            identifying.put("meta", without(meta));
        }
        return new CallKey(given, identifying);
    }

    private static @Nullable String text(@Nullable Object told) {
        boolean isKey = told instanceof String || told instanceof Number;
        return isKey && !String.valueOf(told).isBlank() ? String.valueOf(told) : null;
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

    /** The key of the entry. */
    String in(String scope, String tool, ToolRule rule) {
        if (given != null) {
            return Key.ofId(given).value();
        }
        Map<String, @Nullable Object> identity = new LinkedHashMap<>(arguments);
        if (!rule.identity().isEmpty()) {
            identity.keySet().retainAll(rule.identity());
        }
        return Key.derive(scope, tool, identity).value();
    }
}
